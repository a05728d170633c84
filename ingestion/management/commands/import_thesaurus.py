from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ingestion.services.lexicon.thesaurus import read_thesaurus
from ingestion.services.synonyms import replace_thesaurus
from knowledgetree import console


class Command(console.Command):
    help = gettext_noop(
        "Import a LibreOffice thesaurus (MyThes .dat), such as Debian's /usr/share/mythes/th_pl_PL_v2.dat (mythes-pl). "
        "Importing again replaces what was imported before; synonyms of editors stay."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--weight", type=_weight, default=0.2, help=_("against 1 of a typed word (default: 0.2)"))
        parser.add_argument(
            "--enable", action="store_true", help=_("use it in every search; otherwise it is switched off")
        )

    def handle(self, *, file: Path, weight: float, enable: bool, **options: Any) -> None:
        try:
            meanings = read_thesaurus(file)
        except OSError as error:
            raise CommandError(str(error)) from error
        with self.progress_bar(_("Import of the thesaurus")) as progress:
            groups = replace_thesaurus(meanings=meanings, weight=weight, enabled=enable, progress=progress)
        off = _("switched off; --enable or the admin → Synonyms switches them on")
        state = _("switched on") if enable else off
        self.say(_("Groups of synonyms from the thesaurus: %(n)d (%(state)s).") % {"n": groups, "state": state})


def _weight(text: str) -> float:
    try:
        weight = float(text.replace(",", "."))
    except ValueError as error:
        raise ArgumentTypeError(_("give a number, such as 0.2")) from error
    if not 0 < weight < 1:
        raise ArgumentTypeError(_("the weight must be above 0 and below 1"))
    return weight
