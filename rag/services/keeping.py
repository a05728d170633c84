"""Keeping what was asked and answered, and how well the passages served."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from ingestion.models import Chunk, Collection, Document
from ingestion.models.viewers import Viewer, key_of
from knowledgetree.logs import trace_id
from rag.models import Assistant, Conversation, Exchange, ExchangeCitation
from rag.types import Answer, Citation, Passage, RelatedDocument, as_json, as_kept, found_at, place_of


@transaction.atomic
def keep(
    answer: Answer,
    *,
    viewer: Viewer,
    conversation: Conversation | None,
    session_key: str,
    assistant: Assistant | None = None,
    topics: Sequence[str] = (),
) -> Exchange:
    """Store the answer with its citations as snapshots, in `conversation` or a new one, where that is gone by now.

    `assistant` is who answered; None: the default one. `topics` may be asked next.
    """
    conversation = _continued(conversation, assistant) or _begin(answer, viewer, session_key, assistant)
    exchange = Exchange.objects.create(
        conversation=conversation,
        question=answer.question,
        searched=answer.searched,
        answer=answer.text,
        outcome=answer.outcome,
        quality=answer.quality,
        language=answer.language,
        confidence=answer.confidence,
        synthesizer=answer.synthesizer,
        model=answer.metrics.model,
        prompt_hash=answer.prompt_hash,
        uncited_claims=as_json(answer.uncited_claims),
        verification=as_json(answer.verification),
        steps=as_json(answer.steps),
        notices=as_json(answer.notices),
        corrections=as_json(answer.corrections),
        definitions=[{"term": one.term, "definition": one.definition} for one in answer.definitions],
        related=[_related(one) for one in answer.related],
        topics=list(topics),
        metrics=_metrics_of(answer),
        documents=_documents_of(answer),
        trace_id=trace_id.get(),
    )
    exchange.collections.add(*Collection.objects.filter(slug__in=_collections_of(answer)))
    _keep_citations(exchange, answer.citations, found_at(answer.passages))
    _keep_quality(answer)
    return exchange


def _metrics_of(answer: Answer) -> dict[str, Any]:
    """With the costs unrounded: many answers of a hundredth of a cent are added up later."""
    return {**as_json(answer.metrics), "cost": answer.metrics.cost, "costs": dict(answer.metrics.costs)}


def _related(document: RelatedDocument) -> dict[str, Any]:
    """Without what is looked up again when it is shown: the title, and whether the reader may see it."""
    return {"document_id": document.document_id, "names": list(document.names), "near": document.near}


def _documents_of(answer: Answer) -> list[int]:
    """Those that were shown or written from; pages of the web have number 0."""
    shown = {passage.document_id for passage in answer.passages} | {c.document_id for c in answer.citations}
    return sorted(shown - {0})


def _collections_of(answer: Answer) -> set[str]:
    """Those whose passages or glossary were shown or given to the model; "" are all."""
    passages = {passage.collection for passage in answer.passages}
    return (passages | {definition.collection for definition in answer.definitions}) - {""}


def _continued(conversation: Conversation | None, assistant: Assistant | None) -> Conversation | None:
    """None where there is none (any more): it may have been deleted while the answer was written."""
    if conversation is None:
        return None
    mine = Conversation.objects.filter(pk=conversation.pk)
    return conversation if mine.update(modified=timezone.now(), assistant=assistant) else None


def _begin(answer: Answer, viewer: Viewer, session_key: str, assistant: Assistant | None) -> Conversation:
    owner = viewer if isinstance(viewer, AbstractBaseUser) else None
    return Conversation.objects.create(
        owner_id=owner.pk if owner else None,
        session_key="" if owner else session_key,
        api_key=key_of(viewer),
        title=answer.question[:200],
        assistant=assistant,
    )


def _keep_citations(
    exchange: Exchange, citations: Sequence[Citation], found: Mapping[tuple[int, str], Passage]
) -> None:
    documents = set(
        Document.of_all_times.filter(pk__in={c.document_id for c in citations}).values_list("pk", flat=True)
    )
    ExchangeCitation.objects.bulk_create(
        ExchangeCitation(
            exchange=exchange,
            document_id=citation.document_id if citation.document_id in documents else None,
            found=as_kept(found[place_of(citation)]) if place_of(citation) in found else {},
            **{field: value for field, value in as_json(replace(citation, url="")).items() if field in _KEPT},
        )
        for citation in citations
    )


def _keep_quality(answer: Answer) -> None:
    """Not of an answer from a cache: its search was graded when it was made."""
    if not answer.quality or answer.metrics.cache:
        return
    shown = [passage.chunk_id for passage in answer.passages if passage.origin == "document"]
    # A chunk that is being replaced, or graded by another answer, is not waited for.
    free = Chunk.objects.filter(pk__in=shown).select_for_update(skip_locked=True).values("pk")
    Chunk.objects.filter(pk__in=free).update(retrieval_quality=answer.quality, last_quality_check=timezone.now())


_KEPT = {
    "number",
    "chunk_id",
    "title",
    "uri",
    "quote",
    "start",
    "end",
    "line_start",
    "line_end",
    "page_start",
    "page_end",
    "heading_path",
    "score",
    "origin",
}
