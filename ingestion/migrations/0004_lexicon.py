"""The lexicon of everyday words: packs beside the groups of editors, and keys by which questions find their words."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

# What editors wrote is found as before: by its lemmas, and the first word of a one-way group finds the others.
KEYS = """
UPDATE ingestion_synonym SET found_by = phrase;
UPDATE ingestion_synonym s SET leads = TRUE WHERE NOT EXISTS (
    SELECT FROM ingestion_synonym first
    WHERE first.group_id = s.group_id AND (first.position, first.id) < (s.position, s.id)
);
"""
# Packs come and go with their groups, which are noted themselves; a pack that is switched on or off has none that change.
NOTED = """
CREATE FUNCTION ingestion_lexiconpack_update_noted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM ingestion_note_change(ARRAY[0]);
    RETURN NULL;
END $$;
CREATE TRIGGER ingestion_lexiconpack_update_noted AFTER UPDATE ON ingestion_lexiconpack
    FOR EACH STATEMENT EXECUTE FUNCTION ingestion_lexiconpack_update_noted();
"""
NOT_NOTED = """
DROP TRIGGER ingestion_lexiconpack_update_noted ON ingestion_lexiconpack;
DROP FUNCTION ingestion_lexiconpack_update_noted();
"""


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0003_knowledge_version")]

    operations = [
        migrations.CreateModel(
            name="LexiconPack",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=40, unique=True, verbose_name="name")),
                ("title", models.CharField(max_length=200, verbose_name="title")),
                ("enabled", models.BooleanField(default=True, verbose_name="in use")),
                ("digest", models.CharField(default="", editable=False, max_length=64)),
            ],
            options={"verbose_name": "lexicon pack", "verbose_name_plural": "lexicon packs", "ordering": ["title"]},
        ),
        migrations.RemoveIndex(model_name="synonym", name="synonym_phrase"),
        migrations.AddField(
            model_name="synonym",
            name="context",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=200), default=list, editable=False, size=None
            ),
        ),
        migrations.AddField(
            model_name="synonym",
            name="found_by",
            field=models.CharField(default="", editable=False, max_length=1010),
        ),
        migrations.AddField(
            model_name="synonym", name="leads", field=models.BooleanField(default=False, editable=False)
        ),
        migrations.AddField(
            model_name="synonymgroup", name="key", field=models.CharField(default="", editable=False, max_length=64)
        ),
        migrations.AlterField(
            model_name="synonymgroup",
            name="source",
            field=models.CharField(
                choices=[
                    ("synonym", "editors"),
                    ("thesaurus", "thesaurus"),
                    ("lexicon", "lexicon of everyday words"),
                ],
                default="synonym",
                editable=False,
                max_length=10,
                verbose_name="written by",
            ),
        ),
        migrations.AddField(
            model_name="synonymgroup",
            name="pack",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="groups",
                to="ingestion.lexiconpack",
                verbose_name="lexicon pack",
            ),
        ),
        migrations.AddIndex(
            model_name="synonym", index=models.Index(fields=["found_by"], name="synonym_found_by")
        ),
        # After the index: a table with deferred triggers to fire can no longer be altered.
        migrations.RunSQL(KEYS, migrations.RunSQL.noop),
        migrations.RunSQL(NOTED, NOT_NOTED),
    ]
