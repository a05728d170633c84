from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from ingestion.jobs import recover_jobs
from knowledgetree.database import is_pooled


class Command(BaseCommand):
    help = "Run the background worker. What a killed worker left behind is taken up first."

    def handle(self, **options: Any) -> None:
        if is_pooled(connection.settings_dict):
            raise CommandError(
                "Proces roboczy potrzebuje blokad sesji, których PgBouncer w trybie transakcji nie daje. "
                "Podaj mu DATABASE_URL, który prowadzi wprost do PostgreSQL."
            )
        recovered = recover_jobs()
        if recovered:
            self.stdout.write(f"Podjęto na nowo przerwane zadania: {recovered}.")
        call_command("qcluster")
