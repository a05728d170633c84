"""What cited documents said before they said it, or will say: the nearest other wording of each."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from ingestion.models import Document, Extraction
from rag.models import LaterUnit
from rag.types import Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherWording:
    """A wording that a cited quote does not stand in: it held until `until`, or comes in force on `since`."""

    until: date | None = None
    since: date | None = None


def other_wordings(citations: Iterable[Citation]) -> list[OtherWording]:
    """The former and the coming wordings of what is cited, each day once; none where the quote stands in them too.

    An earlier version has its document's readers, so whoever read the citation may know. Three queries at most.
    """
    quotes: dict[int, list[str]] = {}
    for citation in citations:
        if citation.document_id:
            quotes.setdefault(citation.document_id, []).append(_plain(citation.quote))
    if not quotes:
        return []
    others = [*_former(quotes), *_coming(quotes)]
    texts = _texts(one.document for one in others)
    return list(dict.fromkeys(one.wording for one in others if _lacks(texts.get(one.document, ""), quotes[one.cited])))


@dataclass(frozen=True, slots=True, kw_only=True)
class _NearWording:
    """Another wording of the `cited` document; its text is that of `document`."""

    cited: int
    document: int
    wording: OtherWording


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitNotYet:
    """A cited unit that is in force only from `since`."""

    unit: str
    since: date


def units_not_yet(citations: Iterable[Citation], day: date) -> list[UnitNotYet]:
    """The units in what is cited that come into force after `day`, later than the act that they are in. One query."""
    cited = [one for one in citations if one.document_id]
    rows = LaterUnit.objects.filter(document__in={one.document_id for one in cited}, day__gt=day)
    found = [
        UnitNotYet(unit=row.unit, since=row.day)
        for row in rows
        if any(one.document_id == row.document_id and _share(one, row) for one in cited)
    ]
    return list(dict.fromkeys(found))


def _share(citation: Citation, unit: LaterUnit) -> bool:
    """Whether most of one lies in the other."""
    common = min(citation.end, unit.end) - max(citation.start, unit.start)
    return common * 2 > min(citation.end - citation.start, unit.end - unit.start)


def _former(quotes: Iterable[int]) -> Iterable[_NearWording]:
    rows = Document.earlier_ones.readable().filter(earlier__document__in=quotes, valid_to__lt=timezone.localdate())
    of_documents = rows.select_related("earlier").order_by("valid_to")
    last = {row.earlier.document_id: row for row in of_documents if row.earlier}
    for cited, row in last.items():
        yield _NearWording(cited=cited, document=row.pk, wording=OtherWording(until=row.valid_to))


def _coming(quotes: Iterable[int]) -> Iterable[_NearWording]:
    """Of versions that are cited because they hold still, while their document is in force from another day on."""
    rows = Document.earlier_ones.filter(
        pk__in=quotes, earlier__document__in=Document.objects.readable(),
        earlier__document__valid_from__gt=timezone.localdate(),
    )  # fmt: skip
    for cited, document, since in rows.values_list("pk", "earlier__document", "earlier__document__valid_from"):
        yield _NearWording(cited=cited, document=document, wording=OtherWording(since=since))


def _texts(documents: Iterable[int]) -> dict[int, str]:
    """By document, what its first extractor read."""
    rows = Extraction.objects.filter(document__in=[*documents]).order_by("-pk").values_list("document", "text")
    return dict(rows)


def _lacks(text: str, quotes: Iterable[str]) -> bool:
    plain = _plain(text)
    return bool(plain) and any(quote not in plain for quote in quotes)


def _plain(text: str) -> str:
    return " ".join(text.split())
