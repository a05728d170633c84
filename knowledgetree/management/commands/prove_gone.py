"""`manage.py prove_gone`: where an address or a sentence still stands, in every table and among the originals."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.files.storage import default_storage
from django.core.management.base import CommandError
from django.db import connection
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from psycopg import sql

from ingestion.index.engine.state import generation_states
from ingestion.models import Document
from ingestion.services.files.originals import unowned_originals
from knowledgetree import console

_BEYOND_REACH = (
    gettext_noop("Backups and replicas of the database and of the files: they keep it until they are renewed."),
    gettext_noop("What left this machine: answers that people copied, requests to language models, webhooks."),
    gettext_noop(
        "Memory of processes: pictures of pages for an hour; all else there is asked for by what is in tables."
    ),
)


class Command(console.Command):
    help = gettext_noop(
        "Look everywhere for an address of a document, and for words of it; exit status 1 where any is left."
    )
    audited = False  # its record would have the address, and be found the next time

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("uri", help=_("the address of the document, as in its source"))
        parser.add_argument("--text", default="", help=_("a sentence of it, to be looked for too"))

    def handle(self, *, uri: str, text: str, **options: Any) -> None:
        wanted = [one for one in (uri, text.strip()) if one]
        tables = connection.introspection.table_names()
        left = 0
        for table in tables:
            for words, rows in _rows_with(table, wanted):
                left += rows
                self.say(f"✗ {table}: {rows} × {words[:80]}")
        left += self._say_of_document(uri) + self._say_of_engine()
        orphans = unowned_originals()
        self.say(_("Looked at: tables of the database, every column of every row: %(n)d.") % {"n": len(tables)})
        self.say(_("Originals that no document has: %(n)d.") % {"n": len(orphans)})
        self.say(_("Not looked at, because no program can:"))
        for place in _BEYOND_REACH:
            self.say(f"  · {_(place)}")
        if left:
            raise CommandError(_("It is still there: %(n)d.") % {"n": left})
        self.say(self.style.SUCCESS(_("Nothing of it is left.")))

    def _say_of_document(self, uri: str) -> int:
        """What belongs to the document without having its words; how much."""
        left = 0
        for document in Document.objects.filter(uri=uri):
            kept = {
                _("chunks"): document.chunks.count(),
                _("versions"): document.versions.count(),
                _("original"): bool(document.file) and default_storage.exists(document.file.name or ""),
            }
            left += sum(map(int, kept.values()))
            counts = ", ".join(f"{name}: {int(n)}" for name, n in kept.items())
            told = {"number": document.pk, "status": document.get_status_display(), "counts": counts}
            self.say(_("✗ document %(number)d, %(status)s (%(counts)s)") % told)
        return left

    def _say_of_engine(self) -> int:
        """The search engine has weights and vectors of chunks until it is told that they are gone."""
        waiting = sum(state.waiting for state in generation_states())
        if waiting:
            self.say(_("✗ The search engine was not told yet of all that changed: %(n)d.") % {"n": waiting})
        return waiting


def _rows_with(table: str, wanted: list[str]) -> Iterator[tuple[str, int]]:
    """(words, how many rows have them in any column), of a row as PostgreSQL writes it, where quotes are doubled."""
    count = sql.SQL("SELECT count(*) FROM {table} AS row WHERE strpos(replace(row::text, '\"\"', '\"'), %s) > 0")
    for words in wanted:
        with connection.cursor() as cursor:
            cursor.execute(count.format(table=sql.Identifier(table)), [words])
            if rows := cursor.fetchone()[0]:
                yield words, int(rows)
