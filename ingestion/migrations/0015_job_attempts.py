"""The log of a job: its last attempts."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ingestion", "0014_duplicates_versions_personal"),
    ]

    operations = [
        migrations.CreateModel(
            name="JobAttempt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("started", models.DateTimeField(verbose_name="started")),
                (
                    "claimed",
                    models.DateTimeField(help_text="When its latest slice was started.", verbose_name="claimed"),
                ),
                ("finished", models.DateTimeField(null=True, verbose_name="finished")),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("running", "running"),
                            ("succeeded", "it succeeded"),
                            ("failed", "it failed"),
                            ("retried", "it failed and is repeated later"),
                            ("yielded", "it let others go first"),
                            ("cancelled", "it was cancelled"),
                            ("interrupted", "it was interrupted"),
                        ],
                        default="running",
                        max_length=12,
                        verbose_name="outcome",
                    ),
                ),
                ("error_code", models.CharField(blank=True, max_length=60, verbose_name="error code")),
                ("error_message", models.TextField(blank=True, verbose_name="error")),
                ("worker", models.CharField(max_length=100, verbose_name="worker")),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="log",
                        to="ingestion.job",
                        verbose_name="job",
                    ),
                ),
            ],
            options={
                "verbose_name": "attempt of a job",
                "verbose_name_plural": "attempts of jobs",
                "ordering": ["-started", "-pk"],
                "default_permissions": (),
            },
        ),
    ]
