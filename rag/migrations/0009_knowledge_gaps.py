"""The inbox of knowledge gaps; every night new unanswered questions come into it."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

NAME = "knowledgetree: gather knowledge gaps"


def add_schedule(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.update_or_create(
        name=NAME, defaults={"func": "rag.insight.analytics.intake.gather_gaps", "schedule_type": "D", "repeats": -1}
    )


def remove_schedule(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.filter(name=NAME).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("rag", "0008_feedback_sharing_assistants"),
        ("django_q", "0018_task_success_index"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="KnowledgeGap",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("new", "new"),
                            ("in_work", "in work"),
                            ("answered", "answered"),
                            ("dismissed", "dismissed"),
                        ],
                        db_index=True,
                        default="new",
                        max_length=10,
                        verbose_name="status",
                    ),
                ),
                (
                    "task",
                    models.TextField(
                        blank=True,
                        help_text="What is to be written or found, and where it belongs.",
                        max_length=4000,
                        verbose_name="task",
                    ),
                ),
                (
                    "note",
                    models.TextField(
                        blank=True,
                        help_text="What was done, or why nothing is to be done.",
                        max_length=4000,
                        verbose_name="note",
                    ),
                ),
                ("answered", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="answered on")),
                (
                    "reopened",
                    models.DateTimeField(
                        blank=True,
                        editable=False,
                        help_text="Asked again in vain after it had been answered.",
                        null=True,
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                ("modified", models.DateTimeField(auto_now=True, verbose_name="changed")),
                (
                    "assignee",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="assigned to",
                    ),
                ),
                (
                    "exchanges",
                    models.ManyToManyField(
                        help_text="Each belongs to one gap at most.",
                        related_name="gaps",
                        to="rag.exchange",
                        verbose_name="questions",
                    ),
                ),
            ],
            options={
                "verbose_name": "knowledge gap",
                "verbose_name_plural": "knowledge gaps",
                "ordering": ["-created", "-pk"],
            },
        ),
        migrations.RunPython(add_schedule, remove_schedule),
    ]
