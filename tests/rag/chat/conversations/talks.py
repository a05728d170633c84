"""Conversations as they are kept, made by hand."""

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from ingestion.models import Collection, Document
from rag.models import Conversation, Exchange, ExchangeCitation


def talk(owner: User | None, title: str = "Rozmowa", *, at: datetime | None = None, **fields: Any) -> Conversation:
    conversation = Conversation.objects.create(owner=owner, title=title, **fields)
    if at:
        Conversation.objects.filter(pk=conversation.pk).update(modified=at)
    return conversation


def said(
    conversation: Conversation,
    question: str,
    answer: str = "Tak. [1]",
    *,
    collections: tuple[Collection, ...] = (),
    cites: tuple[Document, ...] = (),
    **fields: Any,
) -> Exchange:
    exchange = Exchange.objects.create(
        conversation=conversation,
        question=question,
        answer=answer,
        documents=[document.pk for document in cites],
        **{"outcome": "answered", **fields},
    )
    exchange.collections.set({*collections, *(document.collection for document in cites)})
    for number, document in enumerate(cites, start=1):
        ExchangeCitation.objects.create(
            exchange=exchange, document=document, number=number, chunk_id=1, title=document.title, uri=document.uri,
            quote=answer, start=0, end=4, line_start=7, line_end=7, heading_path=["Rozdział 2"],
        )  # fmt: skip
    return exchange
