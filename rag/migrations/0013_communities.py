"""Groups of documents with their summaries; every night those whose collection has changed are made anew."""

import django.db.models.deletion
from django.db import migrations, models

NAME = "knowledgetree: refresh groups of documents"


def add_schedule(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.update_or_create(
        name=NAME, defaults={"func": "rag.insight.communities.job.refresh_communities", "schedule_type": "D", "repeats": -1}
    )


def remove_schedule(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.filter(name=NAME).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("ingestion", "0019_community_jobs"),
        ("rag", "0012_measurements"),
        ("django_q", "0018_task_success_index"),
    ]

    operations = [
        migrations.CreateModel(
            name="Community",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("label", models.CharField(max_length=320, verbose_name="subject")),
                ("model", models.CharField(blank=True, max_length=100, verbose_name="language model")),
                ("version", models.CharField(editable=False, max_length=40)),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="made")),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="ingestion.collection",
                        verbose_name="collection",
                    ),
                ),
            ],
            options={
                "verbose_name": "group of documents",
                "verbose_name_plural": "groups of documents",
                "ordering": ["pk"],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="CommunityDocument",
            fields=[
                (
                    "document",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="ingestion.document",
                    ),
                ),
                ("ordinal", models.PositiveIntegerField()),
                (
                    "chunk",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="ingestion.chunk",
                    ),
                ),
                (
                    "community",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="members", to="rag.community"
                    ),
                ),
            ],
            options={"ordering": ["ordinal"], "default_permissions": ()},
        ),
        migrations.CreateModel(
            name="CommunitySentence",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ordinal", models.PositiveIntegerField()),
                ("text", models.TextField()),
                ("start", models.PositiveIntegerField()),
                ("end", models.PositiveIntegerField()),
                ("quote", models.TextField()),
                (
                    "community",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="sentences", to="rag.community"
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="ingestion.document"
                    ),
                ),
            ],
            options={"ordering": ["ordinal"], "default_permissions": ()},
        ),
        migrations.RunPython(add_schedule, remove_schedule, elidable=False),
    ]
