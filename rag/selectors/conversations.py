"""Stored conversations, as their owner may see them today."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from uuid import UUID

from django.db.models import BooleanField, Exists, F, Func, OuterRef, QuerySet
from django.utils import timezone

from ingestion.library.privacy import as_seen_by, masked_collections
from ingestion.models import Document
from ingestion.models.viewers import Viewer, is_superuser, key_of, sees_personal_data
from ingestion.selectors import readable_documents, visible_collections, visible_of_all_times
from ingestion.selectors.clearance import cleared
from ingestion.text.personal_data.masking import masked, masked_address, masked_values
from rag.models import Conversation, Exchange, ExchangeCitation, Feedback, KnowledgeGap
from rag.search.links import document_url, passage_url
from rag.types import Citation, PassageRecord, RelatedDocument, from_kept

_COVERED = (
    "answer", "searched", "uncited_claims", "verification", "steps", "notices", "corrections", "definitions",
    "related", "topics",
)  # fmt: skip


class _IsOneOf(Func):
    """Whether a number stands in an array."""

    arg_joiner = " = ANY("
    template = "%(expressions)s)"
    output_field = BooleanField()


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownExchange:
    """`hidden`: it rests on a collection or a document that the viewer may no longer read; show neither answer nor
    sources.

    `related` are those of the documents named beside it that the viewer may open today. `covered`: personal data are
    covered in it. `found`: why what it cites was found, by number, where that was kept.
    """

    exchange: Exchange
    citations: tuple[Citation, ...]
    hidden: bool
    related: tuple[RelatedDocument, ...] = ()
    covered: bool = False
    found: Mapping[int, PassageRecord] = field(default_factory=dict)


def conversations_of(viewer: Viewer, session_key: str) -> QuerySet[Conversation]:
    """Those of the user, or of the program that acts for them; of an anonymous reader, those of the browser session."""
    if viewer.is_authenticated:
        return Conversation.objects.filter(owner=viewer.pk, api_key=key_of(viewer))
    if not session_key:
        return Conversation.objects.none()
    return Conversation.objects.filter(owner=None, session_key=session_key)


def visible_feedback(viewer: Viewer) -> QuerySet[Feedback]:
    """What readers think of answers, newest first: for superusers alone, as what they asked is."""
    given = Feedback.objects.select_related("exchange", "user")
    return given if is_superuser(viewer) else given.none()


def shown_exchanges(conversation: Conversation, viewer: Viewer) -> list[ShownExchange]:
    """In order of asking. What rests on a collection or a document that is closed to `viewer` by now is hidden."""
    exchanges = conversation.exchanges.prefetch_related("citations")
    covered = set(exchanges.filter(collections__in=masked_collections(viewer)).values_list("pk", flat=True))
    readable = readable_exchanges(viewer).filter(conversation=conversation)
    open_to_viewer = set(readable.values_list("pk", flat=True))
    documents = _related_documents(exchanges, viewer)
    return [
        _shown(
            _covered(exchange) if exchange.pk in covered else exchange,
            hidden=exchange.pk not in open_to_viewer,
            covered=exchange.pk in covered,
            documents=documents,
        )
        for exchange in exchanges
    ]


def shared_exchanges(conversation: Conversation, viewer: Viewer) -> list[ShownExchange]:
    """As another reader sees a shared conversation: of what is hidden not even the question may be shown.

    Stricter than for the owner, who has read it all once. Every document behind an answer must still be there for
    `viewer`; after a hidden exchange only those are shown that cannot repeat it. Questions are covered like answers.
    """
    shown = shown_exchanges(conversation, viewer)
    wanted = {pk for one in shown for pk in one.exchange.documents}
    readable = set(visible_of_all_times(viewer).filter(pk__in=wanted).values_list("pk", flat=True))
    seen, after_hidden = [], False
    for one in shown:
        exchange = one.exchange
        hidden = one.hidden or not readable.issuperset(exchange.documents)
        hidden = hidden or (after_hidden and not _stands_alone(exchange))
        after_hidden = after_hidden or hidden
        if one.covered:
            exchange.question = masked(exchange.question)
        if hidden:
            one = replace(one, hidden=True, citations=(), related=(), found={})
        seen.append(one)
    return seen


def seen_exchange(pk: UUID, viewer: Viewer, session_key: str) -> ShownExchange:
    """One that `viewer` may see, in a conversation of their own or a shared one; else raises Exchange.DoesNotExist."""
    exchange = Exchange.objects.select_related("conversation").get(pk=pk)
    conversation = exchange.conversation
    if conversations_of(viewer, session_key).filter(pk=conversation.pk).exists():
        return _one_of(shown_exchanges(conversation, viewer), pk)
    if conversation.shared and viewer.is_authenticated:
        return _one_of(shared_exchanges(conversation, viewer), pk)
    raise Exchange.DoesNotExist


def readable_exchanges(viewer: Viewer) -> QuerySet[Exchange]:
    """Those of anybody that rest on no collection, and on no document in one, which `viewer` may not read."""
    closed = Exchange.collections.through.objects.exclude(collection__in=visible_collections(viewer))
    kept = Document.of_all_times.filter(readership__isnull=False).exclude(cleared(viewer))
    shown = _IsOneOf(F("pk"), OuterRef("documents"))
    return Exchange.objects.filter(~Exists(closed.filter(exchange=OuterRef("pk"))), ~Exists(kept.filter(shown)))


def as_told(text: str, viewer: Viewer) -> str:
    """What somebody asked, with its personal data covered unless `viewer` may see such."""
    return text if sees_personal_data(viewer) else masked(text)


def for_everyone(text: str) -> str:
    """What somebody asked, with its personal data covered whoever looks: it goes where nobody knows who reads it."""
    return masked(text)


def visible_gaps(viewer: Viewer) -> QuerySet[KnowledgeGap]:
    """Gaps with a question that `viewer` may read, once for each of these: the others are neither named nor counted."""
    return KnowledgeGap.objects.filter(exchanges__in=readable_exchanges(viewer))


def answers_as_stored(viewer: Viewer) -> QuerySet[Exchange]:
    """Those whose answers `viewer` sees word for word: on open collections alone, with nothing covered."""
    covered = Exchange.collections.through.objects.filter(collection__in=masked_collections(viewer))
    return readable_exchanges(viewer).exclude(pk__in=covered.values("exchange_id"))


def _stands_alone(exchange: Exchange) -> bool:
    """Whether it repeats nothing that was said before: a model is given that, so is what follows up on it."""
    return bool(exchange.documents) and not (exchange.searched or exchange.model or exchange.outcome == "direct")


def _shown(
    exchange: Exchange, *, hidden: bool, covered: bool, documents: Mapping[int, RelatedDocument]
) -> ShownExchange:
    return ShownExchange(
        exchange=exchange,
        citations=() if hidden else tuple(_citation(row) for row in exchange.citations.all()),
        related=() if hidden else tuple(_related(exchange, documents)),
        hidden=hidden,
        covered=covered,
        found={} if hidden else _found(exchange),
    )


def _related(exchange: Exchange, documents: Mapping[int, RelatedDocument]) -> Iterator[RelatedDocument]:
    for item in exchange.related:
        if found := documents.get(item["document_id"]):
            yield replace(found, names=tuple(item["names"]), near=item["near"])


def _related_documents(exchanges: Iterable[Exchange], viewer: Viewer) -> dict[int, RelatedDocument]:
    """By key, those that `viewer` may open today and that are in force; nothing of them was kept with the answer."""
    wanted = {item["document_id"] for exchange in exchanges for item in exchange.related}
    if not wanted:
        return {}
    found = readable_documents(viewer).valid_on(timezone.localdate()).filter(pk__in=wanted)
    masking = {one.pk for one in as_seen_by(viewer, {row.collection for row in found}) if one.mask_personal_data}
    return {
        row.pk: RelatedDocument(
            document_id=row.pk,
            title=masked(row.title) if row.collection_id in masking else row.title,
            collection=row.collection.slug,
            collection_name=row.collection.name,
            url=document_url(row.pk),
        )
        for row in found
    }


def _one_of(shown: Iterable[ShownExchange], pk: UUID) -> ShownExchange:
    for one in shown:
        if one.exchange.pk == pk and not one.hidden:
            return one
    raise Exchange.DoesNotExist


def _covered(exchange: Exchange) -> Exchange:
    """As those see it who may not see personal data (any more); in memory only."""
    for name in _COVERED:
        setattr(exchange, name, masked_values(getattr(exchange, name)))
    for row in exchange.citations.all():
        row.title, row.uri, row.quote = masked(row.title), masked_address(row.uri), masked(row.quote)
        row.heading_path, row.found = masked_values(row.heading_path), masked_values(row.found)
    return exchange


def _found(exchange: Exchange) -> dict[int, PassageRecord]:
    read = {row.number: from_kept(row.found) for row in exchange.citations.all()}
    return {number: found for number, found in read.items() if found}


def _citation(row: ExchangeCitation) -> Citation:
    return Citation(
        number=row.number,
        chunk_id=row.chunk_id,
        document_id=row.document_id or 0,
        title=row.title,
        uri=row.uri,
        quote=row.quote,
        start=row.start,
        end=row.end,
        line_start=row.line_start,
        line_end=row.line_end,
        page_start=row.page_start,
        page_end=row.page_end,
        heading_path=tuple(row.heading_path),
        score=row.score,
        url=_address(row),
        origin="web" if row.origin == "web" else "document",
    )


def _address(row: ExchangeCitation) -> str:
    """ "" where the document is gone; a page of the web is its own address."""
    if row.origin == "web":
        return row.uri
    return passage_url(row.document_id, row.start, row.end, row.quote) if row.document_id else ""
