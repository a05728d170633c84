"""What a synchronisation came to, in numbers and bounded lists."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, Final, Literal, get_args

from django.utils.translation import gettext_lazy as _

from ingestion.models import SyncReport
from ingestion.sources.types import SKIP_REASONS, FetchFailure, Principal, Unread
from knowledgetree.errors import Text
from knowledgetree.fetching.errors import TooLarge

Result = Literal["new", "changed", "restored", "gone", "failed", "skipped", "unchanged"]

LISTED: Final = 200
"""Addresses of one kind that a report names; the numbers count all."""

REASONS: Final[dict[str, Text]] = {
    **{str(reason): words for reason, words in SKIP_REASONS.items()},
    "deleted": _("An editor deleted its document, so it stays out."),
    "shelved": _("An editor archived its document, so it stays as it is."),
    "taken": _("Another source has the document of this address."),
}


def unknown_readers(report: SyncReport) -> frozenset[Principal]:
    """Whom the source named as readers before this synchronisation, and nobody knew here."""
    before = SyncReport.objects.filter(source=report.source_id, dry=False, pk__lt=report.pk).order_by("-pk").first()
    named = before.lists.get("unknown", []) if before else []
    return frozenset(Principal(kind=one["detail"], name=one["uri"]) for one in named)


class Tally:
    """Counts each address once: `count` again with the same address changes nothing."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._lists: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        self._seen: set[str] = set()
        self._first_failure: FetchFailure | None = None
        self.may_change = False
        """Whether something failed that may succeed another time, though nothing changes at its place."""
        self._passing: list[FetchFailure] = []

    def count(
        self, result: str, uri: str, *, detail: str = "", document: int | None = None, named: bool = True
    ) -> None:
        """`detail`: of a skipped one its reason in REASONS, of a gone one its state, of a changed one its former
        address, else "". Failures: see `fail`. One that is not `named` is counted and nothing more.
        """
        if uri in self._seen:
            return
        self._seen.add(uri)
        self._counts[result] += 1
        if result == "skipped":
            self._reasons[detail] += 1
        if named and result != "unchanged" and len(self._lists[result]) < LISTED:
            self._lists[result].append({"uri": uri, "detail": detail, "document": document})

    def fail(self, failed: FetchFailure, *, document: int | None = None) -> None:
        self._first_failure = self._first_failure or failed
        self.may_change = self.may_change or failed.code != TooLarge.code
        if failed.retryable and failed.uri not in self._seen:
            self._passing.append(failed)
        self.count("failed", failed.uri, detail=failed.message, document=document)

    def name_unknown(self, principals: Iterable[Principal]) -> None:
        """Whom the source names as readers and nobody knows here."""
        known = sorted((one.kind, one.name) for one in principals)
        self._lists["unknown"] = [{"uri": name, "detail": kind, "document": None} for kind, name in known[:LISTED]]

    @property
    def total(self) -> int:
        return len(self._seen)

    @property
    def unread(self) -> Unread:
        something = any(self._counts[one] for one in (*get_args(Result)[:4], "unchanged"))
        return Unread(all=None if something else self._first_failure, some=tuple(self._passing))

    def write(self, report: SyncReport) -> None:
        report.counts = {result: self._counts[result] for result in get_args(Result)}
        report.counts["reasons"] = dict(self._reasons.most_common())
        report.lists = {result: entries for result, entries in self._lists.items() if entries}
        report.save(update_fields=["counts", "lists"])
