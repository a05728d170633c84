"""Asking: open a trace, run the pipeline, keep what was said."""

import logging
from collections.abc import Iterator
from dataclasses import replace

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils.translation import gettext as _

from ingestion.models import Collection, Document
from ingestion.models.sources import Viewer
from knowledgetree.conf import rag_settings
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.logs import new_trace_id, trace_id
from rag.events import Completed, Event, Failed, Saved, Started
from rag.models import Conversation, Exchange, ExchangeCitation
from rag.pipeline import Pipeline
from rag.query.intent import breadth, classify
from rag.query.language import question_language
from rag.question import Question
from rag.services.choice import assistant_called, chosen_preset, searched_collections
from rag.services.search import checked_question
from rag.types import Answer, Filters, QuestionAnalysis, as_json

log = logging.getLogger("knowledgetree.ask")


def ask(
    *,
    question: str,
    viewer: Viewer,
    filters: Filters | None = None,
    conversation: Conversation | None = None,
    session_key: str = "",
    language: str = "pl",
    top_k: int | None = None,
    synthesize: bool = True,
    preset: str = "",
    assistant: str = "",
    save: bool = True,
) -> Iterator[Event]:
    """The events of an answer for `viewer`, from Started to Saved (or Completed without `save`).

    Errors arrive as a Failed event. The answer is in the question's language, `language` where that does not tell.
    Closing the iterator cancels; nothing is kept then.
    """
    trace = trace_id.get()
    yield Started(question=question, trace_id=trace if trace != "-" else new_trace_id())
    try:
        text = checked_question(question)
        filters = filters or Filters()
        spoken_to = assistant_called(assistant)
        collections = searched_collections(viewer, filters, spoken_to)
        chosen = chosen_preset(preset, assistant=spoken_to, collections=collections)
        intent = classify(text)
        wide = breadth(intent.intent)
        asked = Question(
            text=text,
            language=question_language(text, language),
            collections=collections,
            filters=filters,
            top_k=top_k or wide.limit,
            threshold=wide.threshold,
            analysis=QuestionAnalysis(
                intent=intent.intent,
                confidence=intent.confidence,
                keywords=intent.keywords,
                entities=intent.entities,
            ),
            synthesize=synthesize,
        )
        for event in Pipeline(chosen, rag_settings()).run(asked):
            yield event
            if isinstance(event, Completed) and save:
                exchange = keep(event.answer, viewer=viewer, conversation=conversation, session_key=session_key)
                yield Saved(conversation_id=str(exchange.conversation_id), exchange_id=str(exchange.pk))
    except KnowledgeTreeError as error:
        yield Failed(code=error.code, message=error.message, remedy=str(error.remedy), retryable=error.retryable)
    except Exception:
        log.exception("asking failed")
        yield Failed(
            code="unexpected",
            message=_("Something went wrong on our side."),
            retryable=True,
            remedy=_("Try again; if it happens again, give the administrator the number %(id)s.")
            % {"id": trace_id.get()},
        )


def answer_question(question: str, *, viewer: Viewer, **options: object) -> Answer:
    """The whole answer at once. Takes the options of `ask`; raises KnowledgeTreeError where that yields Failed."""
    for event in ask(question=question, viewer=viewer, **options):  # type: ignore[arg-type]
        if isinstance(event, Completed):
            return event.answer
        if isinstance(event, Failed):
            raise _as_error(event)
    raise KnowledgeTreeError(_("The answer was cancelled."))


def _as_error(event: Failed) -> KnowledgeTreeError:
    error = KnowledgeTreeError(event.message, remedy=event.remedy)
    error.code, error.retryable = event.code, event.retryable
    return error


@transaction.atomic
def keep(answer: Answer, *, viewer: Viewer, conversation: Conversation | None, session_key: str) -> Exchange:
    """Store the answer with its citations as snapshots, in `conversation` or a new one."""
    if conversation is None:
        owner = viewer if isinstance(viewer, AbstractBaseUser) else None
        conversation = Conversation.objects.create(
            owner_id=owner.pk if owner else None, session_key="" if owner else session_key, title=answer.question[:200]
        )
    else:
        conversation.save(update_fields=["modified"])
    exchange = Exchange.objects.create(
        conversation=conversation,
        question=answer.question,
        answer=answer.text,
        outcome=answer.outcome,
        language=answer.language,
        confidence=answer.confidence,
        synthesizer=answer.synthesizer,
        model=answer.metrics.model,
        prompt_hash=answer.prompt_hash,
        uncited_claims=as_json(answer.uncited_claims),
        notices=as_json(answer.notices),
        corrections=as_json(answer.corrections),
        metrics=as_json(answer.metrics),
        trace_id=trace_id.get(),
    )
    exchange.collections.set(Collection.objects.filter(slug__in={passage.collection for passage in answer.passages}))
    documents = set(
        Document.objects.filter(pk__in={c.document_id for c in answer.citations}).values_list("pk", flat=True)
    )
    ExchangeCitation.objects.bulk_create(
        ExchangeCitation(
            exchange=exchange,
            document_id=citation.document_id if citation.document_id in documents else None,
            **{field: value for field, value in as_json(replace(citation, url="")).items() if field in _KEPT},
        )
        for citation in answer.citations
    )
    return exchange


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
}
