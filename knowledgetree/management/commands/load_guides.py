from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ingestion.library.sample import GUIDES
from ingestion.management.commands._indexing import index_waiting, report_lines
from knowledgetree import console
from knowledgetree.guides import guides_are_shipped, load_guides, name_is_taken
from rag.selectors.assistants import HELP


class Command(console.Command):
    help = gettext_noop(
        "Load the program's own guides, in Polish, with an assistant that answers from them. Loading again takes in "
        "what a new release changed."
    )

    def handle(self, **options: Any) -> None:
        if not guides_are_shipped():
            raise CommandError(_("There is no file %(path)s.") % {"path": GUIDES})
        if name_is_taken():
            raise CommandError(_("“%(name)s” is a collection of your own.") % {"name": HELP})
        documents = load_guides(enqueue=False)
        with self.progress_bar(_("Indexing")) as progress:
            self.say_all(report_lines(index_waiting(documents, progress)))
