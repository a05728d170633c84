"""An act as of a day, with what its changing acts order, as far as its reader may read them. No official text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.db.models import QuerySet

from ingestion.library.privacy import masked_collections, masked_extraction
from ingestion.models import Document, Extraction
from ingestion.models.viewers import Viewer
from ingestion.selectors import readable_documents
from ingestion.text.acts.consolidation.applying import apply_orders
from ingestion.text.acts.consolidation.orders import Order, orders_of
from ingestion.text.acts.consolidation.staging import day_of, own_units
from ingestion.text.acts.consolidation.tree import ActNode, read_tree
from ingestion.text.acts.references import ActReference, act_references
from ingestion.text.acts.validity import StatedValidity, stated_validity
from ingestion.text.personal_data.masking import masked
from rag.models import Amendment, LaterUnit, ReadAct
from rag.search.links import document_url, passage_query
from rag.selectors.documents import ShownDocument

_ENDED = Amendment.Change.ENDED
_MOST = 2_000
"""Orders; more are carried out for nobody: each looks through the whole act."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownChange:
    """An order of the act `title`, in force from `since`; `url` opens its words, which `said` has where it was not
    `done`.
    """

    title: str
    url: str
    unit: str
    change: str
    since: date
    done: bool
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidatedPart:
    """A piece of the text, with what changed it; `later`: it comes into force on that day."""

    text: str
    changes: Sequence[ShownChange] = ()
    later: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UndatedAct:
    """A changing act of which nobody says since when it is in force."""

    title: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidatedText:
    """As the `extractor` of the document writes texts. `days` are those on which it changes.

    `missing`: an act that the others say changed it is not here, or not for this reader, which looks the same: of what
    is closed to them nothing tells. `before`: since when the wording that is kept here holds, where the day lies before
    it. `over`: the last day of the act, where it has passed.
    """

    day: date
    extractor: str
    parts: Sequence[ConsolidatedPart] = ()
    days: Sequence[date] = ()
    undated: Sequence[UndatedAct] = ()
    missing: bool = False
    before: date | None = None
    over: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _ChangingAct:
    """A document that changes the act, with its text as its reader may see it."""

    document: Document
    title: str
    text: str
    validity: StatedValidity
    orders: Sequence[Order] = field(default_factory=tuple)

    @property
    def day(self) -> date | None:
        return self.document.valid_from or (self.validity.first.day if self.validity.first else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _DatedOrder:
    act: _ChangingAct
    order: Order
    since: date


def consolidated_text(document: ShownDocument, viewer: Viewer, day: date) -> ConsolidatedText | None:
    """The text of `document`, which is open to `viewer`, as of `day`; None where no act of the base that they may read
    changes it.
    """
    key = _key_of(document)
    rows, readable = _changes_of(document, key), readable_documents(viewer)
    acts = list(_changing_acts(readable.filter(pk__in=rows.values("document")), key, viewer))
    text, extractor = _text_of(document.pk, covers=document.covers)
    if not acts or not text or rows.count() > _MOST:
        return None
    dated = sorted(_dated(acts), key=lambda one: (one.since, one.act.document.pk, one.order.start))
    kept_since = document.valid_from
    dated = [one for one in dated if kept_since is None or one.since > kept_since]
    done = [one for one in dated if one.since <= day]
    root = read_tree(text)
    undone = apply_orders(root, [one.order for one in done])
    shown = [_shown(one, done=number not in undone) for number, one in enumerate(done)]
    later = LaterUnit.objects.filter(document=document.pk, day__gt=day)
    return ConsolidatedText(
        day=day,
        extractor=extractor,
        parts=list(_parts(root, shown, dict(later.values_list("unit", "day")))),
        days=sorted({one.since for one in dated}),
        undated=[UndatedAct(title=act.title, url=document_url(act.document.pk)) for act in acts if act.day is None],
        missing=_names_others(acts, key, readable),
        before=kept_since if kept_since and day < kept_since else None,
        over=document.valid_to if document.valid_to and document.valid_to < day else None,
    )


def is_consolidated(document: ShownDocument, viewer: Viewer) -> bool:
    """Whether `consolidated_text` has anything to show. Two queries."""
    return _changes_of(document, _key_of(document)).filter(document__in=readable_documents(viewer)).exists()


def _key_of(document: ShownDocument) -> str:
    """What names the act that the document is; "-", which names none."""
    keys = ReadAct.objects.filter(document=document.pk).exclude(key="").values_list("key", flat=True)
    return keys.first() or "-"


def _changes_of(document: ShownDocument, key: str) -> QuerySet[Amendment]:
    return Amendment.objects.filter(key=key).exclude(document=document.pk).exclude(change=_ENDED)


def _changing_acts(documents: QuerySet[Document], key: str, viewer: Viewer) -> Iterator[_ChangingAct]:
    covered = set(masked_collections(viewer).values_list("pk", flat=True))
    for document in documents.order_by("pk"):
        covers = document.collection_id in covered
        text, _ = _text_of(document.pk, covers=covers)
        yield _ChangingAct(
            document=document,
            title=masked(document.title) if covers else document.title,
            text=text,
            validity=stated_validity(text, title=document.title),
            orders=list(orders_of(text, key)),
        )


def _text_of(pk: int, *, covers: bool) -> tuple[str, str]:
    """The text, and the name of its extractor."""
    extraction = Extraction.objects.filter(document=pk).order_by("pk").first()
    if extraction is None:
        return "", ""
    return masked_extraction(extraction) if covers else extraction.text, extraction.extractor


def _dated(acts: Iterable[_ChangingAct]) -> Iterator[_DatedOrder]:
    for act in acts:
        units = own_units(act.text) if act.validity.later else []
        for order in act.orders:
            if since := day_of(order, units, act.validity.later, act.day):
                yield _DatedOrder(act=act, order=order, since=since)


def _names_others(acts: Iterable[_ChangingAct], key: str, readable: QuerySet[Document]) -> bool:
    """Whether one of them says that the act was changed by another one ("zmienionym zarządzeniem nr …") that the reader
    does not find here.
    """
    named: set[str] = set()
    for act in acts:
        for one in act.orders[:1]:
            named |= {other.key for other in _changers(act.text[: one.start], key)}
    known = ReadAct.objects.filter(key__in=named, document__in=readable).values_list("key", flat=True)
    return bool(named - set(known))


def _changers(before: str, key: str) -> Iterator[ActReference]:
    """The acts that stand behind "zmieniony" in what an order says of the act that it changes."""
    own = [one for one in act_references(before) if one.key == key]
    if not own:
        return
    rest = before[own[-1].start :]
    place = rest.find("zmienion")
    if 0 <= place < 400:
        yield from (one for one in act_references(rest[place:]) if one.key != key)


def _shown(one: _DatedOrder, *, done: bool) -> ShownChange:
    order = one.order
    start, end = order.start, order.end
    return ShownChange(
        title=one.act.title,
        url=f"{document_url(one.act.document.pk)}?{passage_query(start, end, '')}#cytat",
        unit=order.unit,
        change=str(Amendment.Change(order.change).label),
        since=one.since,
        done=done,
        said="" if done else one.act.text[start:end].strip(),
    )


def _parts(root: ActNode, changes: Sequence[ShownChange], later: dict[str, date]) -> Iterator[ConsolidatedPart]:
    """The text in pieces: what nothing touched together, each unit that was changed by itself, with what is in it."""
    text = ""
    for node, touched in _pieces(root, later):
        if touched:
            if text:
                yield ConsolidatedPart(text=text)
            text = ""
            whole = [node] if node is root else [*node]
            numbers = dict.fromkeys(number for one in whole for number in one.changes)
            piece = node.head if node is root else node.text
            marks = [changes[number] for number in numbers]
            yield ConsolidatedPart(text=piece, changes=marks, later=later.get(node.unit))
        else:
            text += node.head
    if text:
        yield ConsolidatedPart(text=text)


def _pieces(node: ActNode, later: dict[str, date]) -> Iterator[tuple[ActNode, bool]]:
    """Nodes in the order of the text, with whether they were touched; what is in one that was, goes with it."""
    touched = bool(node.changes) or node.unit in later
    yield node, touched
    if not touched or not node.unit:
        for part in node.parts:
            yield from _pieces(part, later)
