"""Answers that are given again. They are deleted with any document they rest on, and every night when they are old."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
from django.db import migrations, models

# In one order, so that two deletions that meet in the same answers wait for each other instead of locking crosswise.
TRIGGER = """
CREATE FUNCTION rag_forget_answers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM rag_cachedanswer WHERE id IN (
        SELECT id FROM rag_cachedanswer
        WHERE documents && (SELECT coalesce(array_agg(gone.id), '{}') FROM gone) ORDER BY id FOR UPDATE
    );
    RETURN NULL;
END $$;
CREATE TRIGGER rag_document_deleted AFTER DELETE ON ingestion_document
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION rag_forget_answers();
"""

DROP_TRIGGER = """
DROP TRIGGER rag_document_deleted ON ingestion_document;
DROP FUNCTION rag_forget_answers();
"""

NAME = "knowledgetree: forget old answers"


def add_schedule(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.update_or_create(
        name=NAME, defaults={"func": "rag.services.maintenance.forget_old_answers", "schedule_type": "D", "repeats": -1}
    )


def remove_schedule(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.filter(name=NAME).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("rag", "0004_trustworthy_answers"),
        ("ingestion", "0011_knowledge_version"),
        ("django_q", "0018_task_success_index"),
    ]

    operations = [
        migrations.CreateModel(
            name="CachedAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=64)),
                ("wording", models.CharField(max_length=64)),
                ("exact", models.CharField(max_length=64)),
                ("question", models.TextField()),
                ("answer", models.TextField()),
                (
                    "documents",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), default=list, size=None
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True, db_index=True)),
            ],
            options={
                "indexes": [
                    django.contrib.postgres.indexes.GinIndex(
                        fastupdate=False, fields=["documents"], name="cached_answer_documents"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("key", "wording", "exact"), name="one_answer_a_question")
                ],
            },
        ),
        migrations.RunSQL(TRIGGER, DROP_TRIGGER),
        migrations.RunPython(add_schedule, remove_schedule),
    ]
