"""What was indexed before is read again for its names, in the background."""

from django.db import migrations, models

NAME = "knowledgetree: recognise names anew"


def renew_soon(apps, schema_editor):
    """Once, as soon as a worker runs; the nights after do what is left."""
    if apps.get_model("ingestion", "Document").objects.exists():
        apps.get_model("django_q", "Schedule").objects.update_or_create(
            name=NAME, defaults={"func": "ingestion.jobs.renew_names", "schedule_type": "O", "repeats": -1}
        )


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0020_packed_postings"), ("django_q", "0018_task_success_index")]

    operations = [
        migrations.AddField(
            model_name="document",
            name="names_version",
            field=models.PositiveSmallIntegerField(
                default=0, editable=False, help_text="Which `ingestion.index.graph.NAMES_VERSION` recognised what it names."
            ),
        ),
        migrations.RunPython(renew_soon, migrations.RunPython.noop),
    ]
