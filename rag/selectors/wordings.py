"""What cited documents said before they said it, or will say: the nearest other wording of each."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from ingestion.models import Document, Extraction
from rag.types import Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherWording:
    """A wording that a cited quote does not stand in: it held until `until`, or comes in force on `since`."""

    until: date | None = None
    since: date | None = None


def other_wordings(citations: Iterable[Citation]) -> list[OtherWording]:
    """The former and the coming wordings of what is cited, each day once; none where the quote stands in them too.

    An earlier version has its document's readers, so whoever read the citation may know. Four queries at most.
    """
    quotes: dict[int, list[str]] = {}
    for citation in citations:
        if citation.document_id:
            quotes.setdefault(citation.document_id, []).append(_plain(citation.quote))
    if not quotes:
        return []
    found = [OtherWording(until=day) for day in _former(quotes)] + [OtherWording(since=day) for day in _coming(quotes)]
    return list(dict.fromkeys(found))


def _former(quotes: dict[int, list[str]]) -> Iterable[date]:
    rows = Document.earlier_ones.readable().filter(earlier__document__in=quotes, valid_to__lt=timezone.localdate())
    of_documents = rows.select_related("earlier").order_by("valid_to")
    last = {row.earlier.document_id: row for row in of_documents if row.earlier}
    for document, row in last.items():
        if row.valid_to and _lacks(row.pk, quotes[document]):
            yield row.valid_to


def _coming(quotes: dict[int, list[str]]) -> Iterable[date]:
    """Of versions that are cited because they hold still, while their document is in force from another day on."""
    rows = Document.earlier_ones.filter(pk__in=quotes).select_related("earlier__document")
    for row in rows:
        coming = row.earlier.document if row.earlier else row
        if coming.valid_from and coming.valid_from > timezone.localdate() and _lacks(coming.pk, quotes[row.pk]):
            yield coming.valid_from


def _lacks(document: int, quotes: Iterable[str]) -> bool:
    text = Extraction.objects.filter(document=document).order_by("pk").values_list("text", flat=True).first()
    plain = _plain(text or "")
    return bool(plain) and any(quote not in plain for quote in quotes)


def _plain(text: str) -> str:
    return " ".join(text.split())
