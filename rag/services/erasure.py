"""What conversations keep of a document, erased with it."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext, override

from ingestion.models import Document
from rag.models import (
    Community,
    Conversation,
    Exchange,
    ExchangeCitation,
    Feedback,
    GapReport,
    Judgement,
    MeasuredQuestion,
)

ERASED = "erased"
"""The outcome of an exchange whose answer was erased."""


def erase_from_conversations(*, document: Document) -> int:
    """Clear the answers that were made from the document, in whole: what rests on other sources cannot be told apart.

    So are later answers of the same conversation that rest on the conversation alone, or were worded after it. The
    questions stay, which are the readers' own words. How many answers were cleared.
    """
    touched = Exchange.objects.filter(Q(documents__contains=[document.pk]) | Q(citations__document=document)).distinct()
    exchanges = {exchange.pk: exchange for exchange in touched}
    for conversation in Conversation.objects.filter(exchanges__in=exchanges).distinct():
        exchanges |= {exchange.pk: exchange for exchange in _following(conversation, exchanges)}
    citations = ExchangeCitation.objects.filter(exchange__in=exchanges)
    for citation in citations.filter(document=document):
        _clear_citation(citation)
    for exchange in exchanges.values():
        _clear(exchange)
    citations.update(found={})  # names that led to a source may be those of the document
    Feedback.objects.filter(exchange__in=exchanges).update(comment="")  # it may quote what was wrong
    GapReport.objects.filter(exchange__in=exchanges).update(comment="")
    return len(exchanges)


def forget_judgements(*, document: Document) -> int:
    """Judgements name the document by its address, which may be a file name; unless another document has it too."""
    if Document.objects.filter(uri=document.uri).exclude(pk=document.pk).exists():
        return 0
    deleted, _ = Judgement.objects.filter(document=document.uri).delete()
    return deleted


def erase(sender: Any, *, document: Document, counts: dict[str, int], **_: Any) -> None:
    """The receiver of `ingestion.services.signals.document_erased`."""
    counts["answers"] = erase_from_conversations(document=document)
    counts["judgements"] = forget_judgements(document=document)
    Community.objects.filter(members__document=document).delete()  # its label may be the document's words
    MeasuredQuestion.objects.all().delete()  # rankings of documents by their addresses; they are measured again


def _following(conversation: Conversation, touched: Iterable[Any]) -> Iterable[Exchange]:
    """The exchanges after the first touched one that may repeat it."""
    keys, reached = set(touched), False
    for exchange in conversation.exchanges.all():
        reached = reached or exchange.pk in keys
        if reached and (exchange.outcome == "direct" or exchange.searched):
            yield exchange


def _clear(exchange: Exchange) -> None:
    with override(exchange.language):
        exchange.answer = gettext("This answer was erased, because a document that it was made from was erased.")
    exchange.outcome, exchange.searched, exchange.quality, exchange.confidence = ERASED, "", "", 0.0
    exchange.uncited_claims, exchange.steps, exchange.notices, exchange.corrections = [], [], [], []
    exchange.verification, exchange.related, exchange.topics = {}, [], []
    exchange.metrics = {name: value for name, value in exchange.metrics.items() if name != "trace"}
    exchange.save()


def _clear_citation(citation: ExchangeCitation) -> None:
    with override(citation.exchange.language):
        citation.title = gettext("erased")
    citation.uri, citation.quote, citation.heading_path, citation.document = "", "", [], None
    citation.start = citation.end = 0
    citation.save()
