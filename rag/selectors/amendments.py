"""Which acts a document changes and which change it, as far as its reader may read both."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from ingestion.library.privacy import masked_collections
from ingestion.models import Chunk, Document
from ingestion.models.viewers import Viewer
from ingestion.selectors import readable_documents
from ingestion.text.personal_data.masking import masked
from rag.models import Amendment, ReadAct
from rag.search.links import document_url, passage_query
from rag.selectors.documents import ShownDocument

MOST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownAmendment:
    """A change of one unit. `order` opens the words that order it, `target` the unit; "" where it is not at hand."""

    unit: str
    change: str
    order: str
    target: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AmendedAct:
    """The other act with its changes; `url` "" where it is not among what the reader may read."""

    title: str
    url: str
    changes: Sequence[ShownAmendment]


@dataclass(frozen=True, slots=True, kw_only=True)
class Amendments:
    """What a document changes, and what changes it."""

    makes: Sequence[AmendedAct] = ()
    undergoes: Sequence[AmendedAct] = ()

    def __bool__(self) -> bool:
        return bool(self.makes or self.undergoes)


def amendments_of(document: ShownDocument, viewer: Viewer) -> Amendments:
    """Those that `document`, which is open to `viewer`, makes and undergoes; of each at most 200."""
    readable = readable_documents(viewer)
    covered = set(masked_collections(viewer).values_list("pk", flat=True))
    key = ReadAct.objects.filter(document=document.pk).exclude(key="").values_list("key", flat=True).first()
    made = Amendment.objects.filter(document=document.pk)[:MOST]
    undergone = Amendment.objects.filter(key=key, document__in=readable).exclude(document=document.pk) if key else None
    return Amendments(
        makes=list(_made(document, made, readable, covered)),
        undergoes=list(_undergone(document, list(undergone[:MOST]), readable, covered)) if undergone else (),
    )


def _made(
    document: ShownDocument, rows: Iterable[Amendment], readable: QuerySet[Document], covered: set[int]
) -> Iterable[AmendedAct]:
    by_act: dict[str, list[Amendment]] = {}
    for row in rows:
        by_act.setdefault(row.key, []).append(row)
    acts = ReadAct.objects.filter(key__in=by_act, document__in=readable).order_by("-document").in_bulk()
    targets = {act.key: act.document_id for act in acts.values()}
    known = readable.in_bulk(targets.values())
    for key, changes in by_act.items():
        target = known.get(targets.get(key, 0))
        places = _places(target.pk, changes) if target else {}
        name = changes[0].act if target is None else _title(target, covered)
        yield AmendedAct(
            title=masked(name) if target is None and document.covers else name,
            url=document_url(target.pk) if target else "",
            changes=[_shown(one, places) for one in changes],
        )


def _undergone(
    document: ShownDocument, rows: Sequence[Amendment], readable: QuerySet[Document], covered: set[int]
) -> Iterable[AmendedAct]:
    places = _places(document.pk, rows)
    others = readable.in_bulk({row.document_id for row in rows})
    for pk, other in sorted(others.items()):
        changes = [_shown(row, places) for row in rows if row.document_id == pk]
        yield AmendedAct(title=_title(other, covered), url=document_url(pk), changes=changes)


def _title(document: Document, covered: set[int]) -> str:
    return masked(document.title) if document.collection_id in covered else document.title


def _shown(row: Amendment, places: dict[str, str]) -> ShownAmendment:
    order = f"{document_url(row.document_id)}?{passage_query(row.start, row.end, '')}#cytat"
    return ShownAmendment(
        unit=row.unit, change=str(row.get_change_display()), order=order, target=places.get(row.unit, "")
    )


def _places(document: int, rows: Iterable[Amendment]) -> dict[str, str]:
    """Where the document has each unit, or the nearest one that contains it, by the last headings of its chunks."""
    chunks = Chunk.objects.filter(document=document, enabled=True).exclude(heading_path=[]).order_by("pk")
    found: dict[str, str] = {}
    for start, end, path in chunks.values_list("start", "end", "heading_path"):
        for heading in _containing(path[-1]):  # of "art. 5 ust. 1–3" the article too: it begins there
            found.setdefault(heading, f"{document_url(document)}?{passage_query(start, end, '')}#cytat")
    places = {row.unit: next((found[part] for part in _containing(row.unit) if part in found), "") for row in rows}
    return {unit: place for unit, place in places.items() if place}


def _containing(unit: str) -> list[str]:
    """The unit itself, then what contains it: "art. 5 ust. 2", "art. 5"."""
    steps = unit.split(" ")
    starts = [place for place, step in enumerate(steps) if step in ("art.", "§", "ust.", "pkt", "lit.")]
    return [unit, *(" ".join(steps[:place]) for place in reversed(starts[1:]))]
