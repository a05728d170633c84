"""`manage.py refresh_findings`: near-duplicates and personal data of documents indexed before they were looked for."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from ingestion.management.commands._counting_bar import counted
from ingestion.models import ChunkSketch, PersonalData, SimilarDocument
from ingestion.services.findings import refresh_findings


class Command(BaseCommand):
    help = "Szuka prawie takich samych dokumentów i danych osobowych w tym, co już zindeksowano. Można ją ponowić."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--all", action="store_true", help="Także dokumenty, które już przejrzano.")

    def handle(self, *args: Any, **options: Any) -> None:
        with counted("Dokumenty", quiet=options["verbosity"] == 0) as progress:
            read = refresh_findings(missing_only=not options["all"], progress=progress)
        self.stdout.write(
            f"Przejrzane dokumenty: {read}. W bazie: pary prawie takich samych dokumentów: "
            f"{SimilarDocument.objects.count() // 2}, powtórzone fragmenty: {_repeated()}, "
            f"miejsca z danymi osobowymi: {PersonalData.objects.count()}."
        )


def _repeated() -> int:
    """Chunks that say what another says, in the same words."""
    chunks = ChunkSketch.objects
    return chunks.count() - chunks.values("signature").distinct().count()
