"""Asking: open a trace, understand, look up or answer from what is known, keep what was said."""

import logging
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from ingestion.models import Collection
from ingestion.models.viewers import Viewer
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import record
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.logs import new_trace_id, trace_id
from knowledgetree.metrics.counters import count_answer
from knowledgetree.postgres.optional import optional_write
from knowledgetree.tracing import OpenSpan, in_span
from rag.answering.cache.answers import AnswerCache
from rag.answering.pipeline import Pipeline
from rag.answering.steps import StepLog
from rag.events import AnswerDelta, Completed, Event, Failed, Noticed, Retrieved, Saved, Started, went_wrong
from rag.llm.configuration import settings_in_force
from rag.llm.masking.question_pseudonyms import keep_pseudonyms
from rag.llm.spending.budgets import affordable
from rag.llm.spending.meter import spending_for
from rag.search.masking import loggable
from rag.services.ask_request import AskRequest
from rag.services.conversations import claim_conversation
from rag.services.keeping import keep
from rag.services.search import checked_question
from rag.services.topics import topics_of
from rag.services.understanding import Scope, background_of, scope_of, understand
from rag.services.understanding.other_times import with_other_times
from rag.types import Answer, Notice
from rag.understanding.courtesy import without_greeting
from rag.understanding.directness import without_retrieval
from rag.understanding.language import question_language, spoken_with

log = logging.getLogger("knowledgetree.ask")

_NOT_SAVED = "not_saved"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """What a stream of events came to: an answer or a failure, both where the answer could not be kept."""

    completed: Completed | None = None
    saved: Saved | None = None
    failed: Failed | None = None

    def answer(self) -> Answer:
        """Raises KnowledgeTreeError where there is none; one that could not be kept is one."""
        if self.failed and self.failed.code != _NOT_SAVED:
            error = KnowledgeTreeError(self.failed.message, remedy=self.failed.remedy)
            error.code, error.retryable = self.failed.code, self.failed.retryable
            raise error
        if self.completed is None:
            raise KnowledgeTreeError(_("The answer was cancelled."))
        return self.completed.answer


def ask(request: AskRequest, *, scope: Scope | None = None) -> Generator[Event, None, None]:
    """The events of an answer, from Started to Saved (or Completed without `save`).

    `scope` is that of the request, where the caller has looked it up. Errors arrive as a Failed event, after Completed
    where only the keeping failed. The answer is in the question's language, `request.language` where that does not
    tell. Closing the generator cancels; nothing is kept then. Whoever does not read to the end closes it: it writes to
    the audit log as it ends, which the garbage collector would have it do anywhere.
    """
    return in_span("question", lambda span: _logged(request, scope, _LoggedQuestion(request, span)))


def _logged(request: AskRequest, scope: Scope | None, entry: "_LoggedQuestion") -> Generator[Event, None, None]:
    try:
        yield from _events(request, scope, entry)
    finally:
        entry.write("cancelled")


def _events(request: AskRequest, scope: Scope | None, entry: "_LoggedQuestion") -> Iterator[Event]:
    trace = trace_id.get()
    yield Started(question=request.question, trace_id=trace if trace != "-" else new_trace_id())
    try:
        text = checked_question(request.question)
        entry.scope = scope = scope or scope_of(request)
        with (
            spending_for(scope.assistant.pk if scope.assistant else None),
            keep_pseudonyms(),
            closing(StepLog()) as steps,
            closing(_answer(text, request, scope, steps)) as events,
        ):
            for event in events:
                if isinstance(event, Completed):
                    entry.write(event.answer.outcome, event.answer)
                if not (isinstance(event, Completed) and request.save):
                    yield event
                    continue
                completed = replace(event, topics=topics_of(event.answer))
                yield completed
                yield _save(completed, request, scope)
    except KnowledgeTreeError as error:
        entry.write(error.code)
        yield Failed(code=error.code, message=error.message, remedy=str(error.remedy), retryable=error.retryable)
    except Exception:
        log.exception("asking failed")
        entry.write("failed")
        yield went_wrong()


class _LoggedQuestion:
    """The question's entry in the audit log, and what its span says. Written once: before the answer is whole, or when
    it is broken off.
    """

    def __init__(self, request: AskRequest, span: OpenSpan) -> None:
        self.scope: Scope | None = None
        self._request, self._span, self._written = request, span, False

    def write(self, outcome: str, answer: Answer | None = None) -> None:
        if self._written:
            return
        self._written = True
        scope, text = self.scope, self._request.question
        collections = scope.collections if scope else []
        record(
            AuditEntry.Action.ASK,
            viewer=self._request.viewer,
            session_key=self._request.session_key,
            outcome=outcome,
            documents={citation.document_id for citation in answer.citations} - {0} if answer else (),
            collections=[collection.pk for collection in collections],
            text=lambda: loggable(text, collections),
            details={"assistant": scope.assistant.slug} if scope and scope.assistant else None,
        )
        self._note(outcome, answer, collections)

    def _note(self, outcome: str, answer: Answer | None, collections: list[Collection]) -> None:
        self._span.note({"knowledgetree.outcome": outcome})
        if scope := self.scope:
            assistant = {"knowledgetree.assistant": scope.assistant.slug} if scope.assistant else {}
            self._span.note({"knowledgetree.preset": scope.preset.name, **assistant})
        if answer is None:
            self._span.fail(outcome)
        else:
            self._span.note({"knowledgetree.citations": len(answer.citations)})
            self._span.note({"knowledgetree.confidence": answer.confidence})
            self._span.note({"knowledgetree.cache": answer.metrics.cache})
        if settings.TRACING and settings.TRACING.texts:
            self._span.note({"knowledgetree.question": loggable(self._request.question, collections)})


def answer_question(question: str, *, viewer: Viewer, **options: Any) -> Answer:
    """The whole answer at once. `options` are those of `AskRequest`; raises KnowledgeTreeError where `ask` fails."""
    return drain(ask(AskRequest(question=question, viewer=viewer, **options))).answer()


def drain(events: Iterable[Event]) -> Ending:
    """Waits for the end of the stream, for those who want the whole answer."""
    ending = Ending()
    for event in events:
        if isinstance(event, Completed):
            ending = replace(ending, completed=event)
        elif isinstance(event, Saved):
            ending = replace(ending, saved=event)
        elif isinstance(event, Failed):
            ending = replace(ending, failed=event)
    return ending


def _answer(text: str, request: AskRequest, scope: Scope, steps: StepLog) -> Generator[Event, None, None]:
    """From the first step to Completed: said at once, given again, or worked out. `text` is checked."""
    in_force = settings_in_force()
    background = background_of(request, scope)
    language = question_language(text, request.language)
    direct = without_retrieval(text, background.history, language=spoken_with(language)) if request.synthesize else None
    if direct:
        yield AnswerDelta(text=direct.text)
        yield Completed(answer=Answer(question=text, text=direct.text, outcome="direct", language=language))
        return
    text = without_greeting(text)
    llm = affordable(in_force.llm) if scope.preset.asks_model else in_force.llm
    question, spent = yield from understand(request, text, scope, background, steps, llm)
    question = replace(question, cancelled=claim_conversation(request.conversation))
    cache = AnswerCache(in_force)
    assistant = scope.assistant.pk if scope.assistant else None
    covered = [collection.slug for collection in scope.collections if collection.mask_personal_data]
    key = (
        cache.key(question, preset=scope.preset, assistant=assistant, rights=covered)
        if request.cached and not request.again
        else None
    )
    if key and (known := cache.get(key, question)):
        yield Retrieved(passages=known.passages, corrections=known.corrections)
        yield Completed(answer=with_other_times(known, question))
        return
    told = (_over_budget(),) if llm != in_force.llm and request.synthesize else ()
    for notice in told:
        yield Noticed(notice=notice)
    pipeline = Pipeline(scope.preset, replace(in_force, llm=llm))
    for event in pipeline.run(question, steps, spent=spent):
        if isinstance(event, Completed):
            event = replace(event, answer=replace(event.answer, notices=(*told, *event.answer.notices)))
            if key and llm == in_force.llm:
                cache.put(key, question, event.answer)  # before the event: whoever has it may listen no more
            event = replace(event, answer=with_other_times(event.answer, question))
        yield event


def _over_budget() -> Notice:
    return Notice(
        code="over_budget",
        message=_(
            "This month's budget for language models is used up, so no model was asked: "
            "these are the best sentences of the sources."
        ),
    )


def _save(completed: Completed, request: AskRequest, scope: Scope) -> Saved | Failed:
    exchange = None
    with optional_write("a conversation"):
        exchange = keep(
            completed.answer,
            topics=completed.topics,
            viewer=request.viewer,
            conversation=request.conversation,
            session_key=request.session_key,
            assistant=scope.assistant,
        )
    count_answer(completed.answer)
    if exchange is None:
        return Failed(
            code=_NOT_SAVED,
            message=_("The answer could not be saved; it will be missing from the conversation."),
            remedy=_("Copy it if you need it, and tell the administrator that the database cannot write."),
            retryable=False,
        )
    return Saved(conversation_id=str(exchange.conversation_id), exchange_id=str(exchange.pk))
