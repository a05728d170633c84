import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ingestion", "0017_measurement_jobs"),
        ("rag", "0011_topics_and_reasons"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Measurement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("retrieval", "retrieval"), ("answers", "answers")], max_length=10, verbose_name="kind"
                    ),
                ),
                ("preset", models.CharField(blank=True, max_length=40, verbose_name="preset")),
                ("limit", models.PositiveIntegerField(default=0, verbose_name="limit of questions")),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                (
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="measurements",
                        to="rag.evaluationdataset",
                        verbose_name="evaluation dataset",
                    ),
                ),
                (
                    "job",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="ingestion.job",
                        verbose_name="job",
                    ),
                ),
                (
                    "run",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="rag.evaluationrun",
                        verbose_name="evaluation run",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "measurement asked for",
                "verbose_name_plural": "measurements asked for",
                "ordering": ["-pk"],
                "default_permissions": (),
            },
        ),
    ]
