from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ingestion.selectors import operator
from knowledgetree import console
from rag.insight.conflicts.board import ConflictGroup, open_groups, with_statements
from rag.insight.conflicts.comparing import BoardUpdate, compare_documents
from rag.insight.conflicts.storage import forget_comparisons

_SHOWN = 20


class Command(console.Command):
    help = gettext_noop(
        "Compare what the documents in force state and list what contradicts each other. Only documents that changed "
        "are read; interrupted, it goes on where it was."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--again", action="store_true", help=_("read every document anew; decisions stay"))
        parser.add_argument("--show", type=int, default=_SHOWN, help=_("how many to list (%(default)s)"))
        parser.add_argument("--json", action="store_true", help=_("one object a line"))

    def handle(self, *, again: bool, show: int, json: bool, **options: Any) -> None:
        if show < 0:
            raise CommandError(_("--show must not be negative."))
        if again:
            forget_comparisons()
        with self.progress_bar(_("Comparing")) as bar:
            compared = compare_documents(progress=bar)
        groups = open_groups(operator())
        shown = with_statements(groups[:show], operator())
        if json:
            for group in shown:
                self.say_json(_as_json(group), indent=None)
            return
        self._summarise(compared, len(groups))
        for group in shown:
            self._write(group)

    def _summarise(self, compared: BoardUpdate, groups: int) -> None:
        counts = {"documents": compared.documents, "statements": compared.statements, "found": compared.found}
        self.say(_("Documents read: %(documents)d, statements: %(statements)d, new contradictions: %(found)d") % counts)
        self.say(_("Waiting for a decision: %(n)d") % {"n": groups})

    def _write(self, group: ConflictGroup) -> None:
        self.say("")
        self.say(f"{group.number}. {group.first.get_kind_display()}")
        for one in group.statements:
            dated = date_format(one.dated, "Y-m-d") if one.dated else "–"
            self.say(f"   {one.title} ({one.collection}, {dated})")
            self.say(f"     „{' '.join(one.text.split())}” → {one.value}")


def _as_json(group: ConflictGroup) -> dict[str, Any]:
    return {
        "number": group.number,
        "kind": group.first.kind,
        "statements": [
            {"document": one.document, "title": one.title, "collection": one.collection, "text": one.text,
             "value": one.value, "dated": one.dated and one.dated.isoformat(), "url": one.url}
            for one in group.statements
        ],
    }  # fmt: skip
