"""Every minute, jobs that a killed worker left behind are taken up again."""

from django.db import migrations

NAME = "knowledgetree: recover jobs"


def add_schedule(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.update_or_create(
        name=NAME, defaults={"func": "ingestion.jobs.recover_jobs", "schedule_type": "I", "minutes": 1, "repeats": -1}
    )


def remove_schedule(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.filter(name=NAME).delete()


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0002_index"), ("django_q", "0018_task_success_index")]

    operations = [migrations.RunPython(add_schedule, remove_schedule)]
