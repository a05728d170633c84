from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from ingestion.jobs import recover_jobs


class Command(BaseCommand):
    help = "Run the background worker. What a killed worker left behind is taken up first."

    def handle(self, **options: Any) -> None:
        recovered = recover_jobs()
        if recovered:
            self.stdout.write(f"Podjęto na nowo przerwane zadania: {recovered}.")
        call_command("qcluster")
