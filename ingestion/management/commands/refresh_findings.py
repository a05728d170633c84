"""`manage.py refresh_findings`: near-duplicates and personal data of documents indexed before they were looked for."""

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ingestion.models import ChunkSketch, PersonalData, SimilarDocument
from ingestion.services.findings import refresh_findings
from knowledgetree import console


class Command(console.Command):
    help = gettext_noop(
        "Look for nearly equal documents and for personal data in what is indexed already. It can be run again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--all", action="store_true", help=_("documents that were looked through already too"))

    def handle(self, *args: Any, **options: Any) -> None:
        with self.progress_bar(_("Documents")) as progress:
            read = refresh_findings(missing_only=not options["all"], progress=progress)
        counts = {
            "read": read,
            "pairs": SimilarDocument.objects.count() // 2,
            "repeated": _count_repeated(),
            "personal": PersonalData.objects.count(),
        }
        self.say(
            _(
                "Documents looked through: %(read)d. There are: pairs of nearly equal documents: %(pairs)d, "
                "repeated chunks: %(repeated)d, places with personal data: %(personal)d."
            )
            % counts
        )


def _count_repeated() -> int:
    """Chunks that say what another says, in the same words."""
    chunks = ChunkSketch.objects
    return chunks.count() - chunks.values("signature").distinct().count()
