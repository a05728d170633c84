"""The words for what a synchronisation came to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ingestion.admin.labels import Colour
from ingestion.models import SourceAddress, SyncReport
from ingestion.services.syncing.tally import LISTED, REASONS

COLOURS: dict[str, Colour] = {
    "running": "info",
    "succeeded": "success",
    "failed": "danger",
    "cancelled": "warning",
}
RESULTS: dict[str, Promise] = {
    "new": _("new"),
    "changed": _("changed"),
    "restored": _("back again"),
    "gone": _("gone"),
    "failed": _("failed"),
    "skipped": _("skipped"),
    "unchanged": _("unchanged"),
}


def numbers(counts: Mapping[str, Any]) -> list[tuple[str, Promise, int]]:
    """(result, in words, number) of those that are not 0, what matters most first."""
    return [(result, word, counts[result]) for result, word in RESULTS.items() if counts.get(result)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressListing:
    """The addresses of a result, of which `entries` may be the first ones only."""

    result: str
    title: Promise
    number: int
    entries: list[dict[str, Any]]

    @property
    def missing(self) -> int:
        return max(0, self.number - len(self.entries))


def listings(report: SyncReport) -> list[AddressListing]:
    """What needs a look first, then the rest."""
    order = ("failed", "gone", "new", "changed", "restored", "skipped")
    return [
        AddressListing(
            result=result,
            title=RESULTS[result],
            number=report.counts.get(result, 0),
            entries=[{**entry, "detail": in_words(result, entry["detail"])} for entry in report.lists[result][:LISTED]],
        )
        for result in order
        if report.lists.get(result)
    ]


def in_words(result: str, detail: str) -> str:
    if result == "skipped":
        return str(REASONS.get(detail, detail))
    if result == "gone" and detail in SourceAddress.State:
        return str(SourceAddress.State(detail).label)
    if result == "changed" and detail:
        return gettext("was at %(address)s") % {"address": detail}
    return detail
