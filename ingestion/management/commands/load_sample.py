from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ingestion.library.sample import MANIFEST
from ingestion.management.commands._indexing import index_waiting, report_lines
from ingestion.services.files.samples import load_manifest, load_words
from knowledgetree import console


class Command(console.Command):
    help = gettext_noop(
        "Load the sample knowledge base, a fictional municipal office, and the lexicon of everyday words. Loading "
        "again changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--manifest", type=Path, default=MANIFEST)

    def handle(self, *, manifest: Path, **options: Any) -> None:
        if not manifest.is_file():
            raise CommandError(_("There is no file %(path)s.") % {"path": manifest})
        call_command("load_lexicon")
        documents = list(load_manifest(path=manifest, enqueue=False))
        with self.progress_bar(_("Indexing")) as progress:
            indexed = index_waiting(documents, progress)
        load_words(path=manifest)
        self.say_all(report_lines(indexed))
