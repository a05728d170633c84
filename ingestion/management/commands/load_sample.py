from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ingestion.management.commands._progress import index_waiting, write_report
from ingestion.services.files.samples import load_manifest


class Command(BaseCommand):
    help = "Load the sample knowledge base: a fictional municipal office. Running it again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--manifest", type=Path, default=settings.BASE_DIR / "fixtures/urzad/manifest.json")

    def handle(self, *, manifest: Path, **options: Any) -> None:
        if not manifest.is_file():
            raise CommandError(f"Nie ma pliku {manifest}.")
        documents = list(load_manifest(path=manifest, enqueue=False))
        write_report(index_waiting(documents, quiet=options["verbosity"] == 0), self.stdout)
