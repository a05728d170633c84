"""Every night the index of the postings is packed."""

from django.db import migrations

NAME = "knowledgetree: maintain index"


def add_schedule(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.update_or_create(
        name=NAME, defaults={"func": "ingestion.jobs.maintain_index", "schedule_type": "D", "repeats": -1}
    )


def remove_schedule(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.filter(name=NAME).delete()


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0004_expansion"), ("django_q", "0018_task_success_index")]

    operations = [migrations.RunPython(add_schedule, remove_schedule)]
