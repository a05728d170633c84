"""Asking: open a trace, run the pipeline, keep what was said."""

import logging
from collections.abc import Iterator

from django.utils.translation import gettext as _

from ingestion.models.sources import Viewer
from knowledgetree.conf import rag_settings
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.logs import new_trace_id, trace_id
from rag.events import Completed, Event, Failed, Saved, Started
from rag.models import Conversation
from rag.pipeline import Pipeline
from rag.query.intent import breadth, classify
from rag.query.language import question_language
from rag.question import Question
from rag.services.choice import assistant_called, chosen_preset, searched_collections
from rag.services.keeping import keep
from rag.services.search import checked_question
from rag.types import Answer, Filters, QuestionAnalysis

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
