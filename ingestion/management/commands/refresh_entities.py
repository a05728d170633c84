"""`manage.py refresh_entities`: build the graph of names for documents indexed before it, or anew for all."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from ingestion.index.writing import refresh_planner_statistics
from ingestion.management.commands._counting_bar import counted
from ingestion.services.entities import refresh_entities


class Command(BaseCommand):
    help = "Rozpoznaje nazwy w zindeksowanych dokumentach (graf nazw). Przerwane można uruchomić ponownie."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--all",
            action="store_true",
            help="Wszystkie, nie tylko odczytane przez starszą wersję: po zmianie słownika pojęć albo modelu spaCy.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with counted("Nazwy", quiet=options["verbosity"] == 0) as progress:
            read = refresh_entities(missing_only=not options["all"], progress=progress)
        refresh_planner_statistics()
        self.stdout.write(f"Przeczytane dokumenty: {read}.")
