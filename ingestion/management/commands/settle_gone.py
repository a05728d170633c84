from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ingestion.management.commands.sync import chosen_sources
from ingestion.models import SourceAddress
from ingestion.services.syncing.decisions import confirm_gone, keep_gone
from knowledgetree import console


class Command(console.Command):
    help = gettext_noop("Decide about the documents of a source that are gone there and wait for a decision.")
    audited = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", help=_("number or name"))
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--remove", action="store_true", help=_("archive or erase them, as the source says"))
        what.add_argument("--keep", action="store_true", help=_("leave them in service"))

    def handle(self, *, source: str, remove: bool, **options: Any) -> None:
        (found,) = chosen_sources([source])
        waiting = SourceAddress.objects.filter(source=found, state=SourceAddress.State.WAITING)
        if not waiting.exists():
            raise CommandError(_("Nothing of this source waits for a decision."))
        decide = confirm_gone if remove else keep_gone
        self.say(_("Documents decided about: %(n)d.") % {"n": decide(addresses=waiting.select_related("source"))})
