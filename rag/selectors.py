"""Stored conversations, as their owner may see them today."""

from dataclasses import dataclass

from django.db.models import QuerySet

from ingestion.models.sources import Viewer
from ingestion.personal_data.masking import masked, masked_values
from ingestion.privacy import masked_collections
from ingestion.selectors import visible_collections
from rag.links import passage_url
from rag.models import Conversation, Exchange, ExchangeCitation
from rag.types import Citation

_COVERED = (
    "answer", "searched", "uncited_claims", "verification", "steps", "notices", "corrections", "definitions",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownExchange:
    """`hidden`: it rests on a collection that the viewer may no longer read; show neither answer nor sources."""

    exchange: Exchange
    citations: tuple[Citation, ...]
    hidden: bool


def conversations_of(viewer: Viewer, session_key: str) -> QuerySet[Conversation]:
    """Those of the user; of an anonymous reader, those of the browser session."""
    if viewer.is_authenticated:
        return Conversation.objects.filter(owner=viewer.pk)
    if not session_key:
        return Conversation.objects.none()
    return Conversation.objects.filter(owner=None, session_key=session_key)


def shown_exchanges(conversation: Conversation, viewer: Viewer) -> list[ShownExchange]:
    """In order of asking. What rests on a collection that is closed to `viewer` by now is hidden."""
    exchanges = conversation.exchanges.prefetch_related("citations")
    covered = set(exchanges.filter(collections__in=masked_collections(viewer)).values_list("pk", flat=True))
    open_to_viewer = set(
        exchanges.exclude(
            pk__in=Exchange.collections.through.objects.filter(exchange__conversation=conversation)
            .exclude(collection__in=visible_collections(viewer))
            .values("exchange_id")
        ).values_list("pk", flat=True)
    )
    return [
        ShownExchange(
            exchange=_covered(exchange) if exchange.pk in covered else exchange,
            citations=tuple(_citation(row) for row in exchange.citations.all())
            if exchange.pk in open_to_viewer
            else (),
            hidden=exchange.pk not in open_to_viewer,
        )
        for exchange in exchanges
    ]


def _covered(exchange: Exchange) -> Exchange:
    """As those see it who may not see personal data (any more); in memory only."""
    for field in _COVERED:
        setattr(exchange, field, masked_values(getattr(exchange, field)))
    for row in exchange.citations.all():
        row.title, row.uri, row.quote = masked(row.title), masked(row.uri), masked(row.quote)
        row.heading_path = masked_values(row.heading_path)
    return exchange


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
