"""Questions as they are kept, made by hand."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from ingestion.models import Collection, Document
from rag.models import Conversation, Exchange, ExchangeCitation

WARSAW = ZoneInfo("Europe/Warsaw")


def warsaw(text: str, *, fold: int = 0) -> datetime:
    """An ISO time as the clocks in Warsaw show it; `fold` 1: the second time they show it."""
    return datetime.fromisoformat(text).replace(tzinfo=WARSAW, fold=fold)


def asked(
    question: str = "Ile dni urlopu?",
    *,
    at: datetime,
    outcome: str = "answered",
    quality: str = "HIGH",
    collections: tuple[Collection, ...] = (),
    cites: tuple[Document, ...] = (),
    **metrics: Any,
) -> Exchange:
    """`metrics` join those that every searched question has; `total` is its latency in milliseconds."""
    if "total" in metrics:
        metrics["latency"] = {"total": metrics.pop("total")}
    exchange = Exchange.objects.create(
        conversation=Conversation.objects.create(title="Rozmowa"),
        question=question,
        answer="Tak.",
        outcome=outcome,
        quality=quality,
        model=metrics.pop("answering", ""),
        metrics={"cache": "", "corrected": False, "web_fallback": False, **metrics},
    )
    Exchange.objects.filter(pk=exchange.pk).update(created=at)
    exchange.collections.set(collections)
    for number, document in enumerate(cites, start=1):
        _cited(exchange, document, number)
    return exchange


def _cited(exchange: Exchange, document: Document, number: int) -> None:
    ExchangeCitation.objects.create(
        exchange=exchange, document=document, number=number, chunk_id=1, title=document.title, uri=document.uri,
        quote="Tak.", start=0, end=4, line_start=1, line_end=1,
    )  # fmt: skip
