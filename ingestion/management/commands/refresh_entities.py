"""`manage.py refresh_entities`: build the graph of names for documents indexed before it, or anew for all."""

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ingestion.index.writing import refresh_planner_statistics
from ingestion.services.entities import refresh_entities
from knowledgetree import console


class Command(console.Command):
    help = gettext_noop(
        "Recognise the names in indexed documents (the graph of names). Interrupted, it can be run again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--all",
            action="store_true",
            help=_("all, not only those that an older version read: after a change of the glossary or spaCy's model"),
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with self.progress_bar(_("Names")) as progress:
            read = refresh_entities(missing_only=not options["all"], progress=progress)
        refresh_planner_statistics()
        self.say(_("Documents read: %(n)d.") % {"n": read})
