from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ingestion.management.commands._indexing import index_waiting, report_lines
from knowledgetree import console
from knowledgetree.guides import load_guides


class Command(console.Command):
    help = gettext_noop(
        "Load the program's own guides, in Polish, with an assistant that answers from them. Loading again takes in "
        "what a new release changed."
    )

    def handle(self, **options: Any) -> None:
        documents = load_guides(enqueue=False)
        with self.progress_bar(_("Indexing")) as progress:
            self.say_all(report_lines(index_waiting(documents, progress)))
