from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ingestion.errors import IngestionError
from ingestion.management.commands._counting_bar import counted
from ingestion.services.synonyms import replace_thesaurus
from ingestion.services.thesaurus import read_thesaurus


class Command(BaseCommand):
    help = (
        "Import a LibreOffice thesaurus (MyThes .dat), such as Debian's /usr/share/mythes/th_pl_PL_v2.dat (mythes-pl). "
        "Importing again replaces what was imported before; synonyms of editors stay."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--weight", type=_weight, default=0.2, help="against 1 of a typed word (default: 0.2)")
        parser.add_argument(
            "--enable", action="store_true", help="use it in every search; otherwise it is switched off"
        )

    def handle(self, *, file: Path, weight: float, enable: bool, **options: Any) -> None:
        try:
            meanings = read_thesaurus(file)
            with counted("Import tezaurusa", quiet=options["verbosity"] == 0) as progress:
                groups = replace_thesaurus(meanings=meanings, weight=weight, enabled=enable, progress=progress)
        except (IngestionError, OSError) as error:
            raise CommandError(str(error)) from error
        state = "włączone" if enable else "wyłączone; włącza je --enable albo panel administracyjny → Synonimy"
        self.stdout.write(f"Grupy synonimów z tezaurusa: {groups} ({state}).")


def _weight(text: str) -> float:
    try:
        weight = float(text.replace(",", "."))
    except ValueError as error:
        raise ArgumentTypeError("podaj liczbę, na przykład 0.2") from error
    if not 0 < weight < 1:
        raise ArgumentTypeError("waga musi być większa od 0 i mniejsza od 1")
    return weight
