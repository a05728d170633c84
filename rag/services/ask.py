"""Asking: open a trace, understand, look up or answer from what is known, keep what was said."""

import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from ingestion.models.viewers import Viewer
from knowledgetree.conf import rag_settings
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.logs import new_trace_id, trace_id
from knowledgetree.metrics.counters import count_answer
from knowledgetree.postgres.optional import optional_write
from rag.answering.cache.answers import AnswerCache
from rag.answering.pipeline import Pipeline
from rag.answering.steps import StepLog
from rag.events import AnswerDelta, Completed, Event, Failed, Retrieved, Saved, Started
from rag.services.asking import Asking
from rag.services.choice import assistant_called
from rag.services.keeping import keep
from rag.services.search import checked_question
from rag.services.topics import topics_of
from rag.services.understanding import background_of, scope_of, understood
from rag.types import Answer
from rag.understanding.courtesy import without_greeting
from rag.understanding.directness import without_retrieval
from rag.understanding.language import question_language

log = logging.getLogger("knowledgetree.ask")

NOT_SAVED = "not_saved"
"""Code of the Failed event of an answer that is complete and could not be kept."""


def ask(asking: Asking) -> Iterator[Event]:
    """The events of an answer, from Started to Saved (or Completed without `save`).

    Errors arrive as a Failed event, after Completed where
    only the keeping failed. The answer is in the question's language, `asking.language` where that does not
    tell. Closing the iterator cancels; nothing is kept then.
    """
    trace = trace_id.get()
    yield Started(question=asking.question, trace_id=trace if trace != "-" else new_trace_id())
    try:
        for event in _answered(asking):
            if not (isinstance(event, Completed) and asking.save):
                yield event
                continue
            completed = replace(event, topics=topics_of(event.answer))
            yield completed
            yield _saved(completed, asking)
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


def answer_question(question: str, *, viewer: Viewer, **options: Any) -> Answer:
    """The whole answer at once. `options` are those of `Asking`; raises KnowledgeTreeError where `ask` fails."""
    answer = None
    for event in ask(Asking(question=question, viewer=viewer, **options)):
        if isinstance(event, Completed):
            answer = event.answer
        elif isinstance(event, Failed) and event.code != NOT_SAVED:
            raise _as_error(event)
    if answer is None:
        raise KnowledgeTreeError(_("The answer was cancelled."))
    return answer


def _answered(asking: Asking) -> Iterator[Event]:
    """From the first step to Completed: said at once, given again, or worked out."""
    settings, steps = rag_settings(), StepLog()
    text = checked_question(asking.question)
    scope = scope_of(asking)
    background = background_of(asking, scope)
    language = question_language(text, asking.language)
    direct = without_retrieval(text, background.history, language=language) if asking.synthesize else None
    if direct:
        yield AnswerDelta(text=direct.text)
        yield Completed(answer=Answer(question=text, text=direct.text, outcome="direct", language=language))
        return
    text = without_greeting(text)
    question, spent = yield from understood(asking, text, scope, background, steps, settings.llm)
    cache = AnswerCache(settings)
    assistant = scope.assistant.pk if scope.assistant else None
    covered = [collection.slug for collection in scope.collections if collection.mask_personal_data]
    key = cache.key(question, preset=scope.preset, assistant=assistant, rights=covered) if asking.cached else None
    if key and (known := cache.get(key, question)):
        yield Retrieved(passages=known.passages, corrections=known.corrections)
        yield Completed(answer=known)
        return
    for event in Pipeline(scope.preset, settings).run(question, steps, spent={"rewriting": spent}):
        if isinstance(event, Completed) and key:
            cache.put(key, question, event.answer)  # before the event: whoever has it may listen no more
        yield event


def _saved(completed: Completed, asking: Asking) -> Saved | Failed:
    exchange = None
    with optional_write("a conversation"):
        exchange = keep(
            completed.answer,
            topics=completed.topics,
            viewer=asking.viewer,
            conversation=asking.conversation,
            session_key=asking.session_key,
            assistant=assistant_called(asking.assistant, asking.viewer),
        )
    count_answer(completed.answer)
    if exchange is None:
        return Failed(
            code=NOT_SAVED,
            message=_("The answer could not be saved; it will be missing from the conversation."),
            remedy=_("Copy it if you need it, and tell the administrator that the database cannot write."),
            retryable=False,
        )
    return Saved(conversation_id=str(exchange.conversation_id), exchange_id=str(exchange.pk))


def _as_error(event: Failed) -> KnowledgeTreeError:
    error = KnowledgeTreeError(event.message, remedy=event.remedy)
    error.code, error.retryable = event.code, event.retryable
    return error
