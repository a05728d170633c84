"""What a question means here: what it refers back to, where it is looked up, and how."""

import uuid
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from ingestion.models import Collection
from knowledgetree.conf import LLMSettings
from rag.answering.steps import StepLog
from rag.errors import UnknownPreset
from rag.events import Event
from rag.llm import step_model
from rag.models import Assistant, Conversation
from rag.presets import Preset
from rag.question import Background, Question, Turn
from rag.selectors import shown_exchanges
from rag.services.asking import Asking
from rag.services.choice import assistant_called, chosen_preset, searched_collections
from rag.types import QuestionAnalysis, Tokens
from rag.understanding.follow_up import stand_alone
from rag.understanding.intent import breadth, classify
from rag.understanding.language import question_language

_REMEMBERED = 10  # turns of a conversation
_READ = 12
"""Passages that a model gets at least: it can tell which of them answer, and one of the last may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """With whom one speaks, what may be searched for this viewer, and how."""

    assistant: Assistant | None
    collections: list[Collection]
    preset: Preset


def scope_of(asking: Asking) -> Scope:
    """Raises UnknownAssistant, UnknownPreset, InvalidFilter."""
    if asking.parts and not asking.viewer.is_authenticated:
        raise UnknownPreset(_("Parts of a preset can be replaced by signed-in users only."), remedy=_("Sign in."))
    assistant = assistant_called(asking.assistant, asking.viewer)
    collections = searched_collections(asking.viewer, asking.filters, assistant)
    chosen = chosen_preset(asking.preset, assistant=assistant, collections=collections, parts=asking.parts)
    if asking.min_relevance is not None:
        chosen = replace(chosen, min_relevance=asking.min_relevance)
    return Scope(assistant=assistant, collections=collections, preset=chosen)


def background_of(asking: Asking, scope: Scope) -> Background:
    return Background(
        history=_remembered(asking),
        instructions=scope.assistant.instructions if scope.assistant else "",
        page=asking.page,
    )


def _remembered(asking: Asking) -> tuple[Turn, ...]:
    """The last turns of the conversation, without those that the viewer may no longer see."""
    if asking.conversation is None:
        return ()
    shown = [one.exchange for one in shown_exchanges(asking.conversation, asking.viewer) if not one.hidden]
    return tuple(
        Turn(question=exchange.searched or exchange.question, answer=exchange.answer)
        for exchange in shown[-_REMEMBERED:]
    )


def understood(
    asking: Asking, text: str, scope: Scope, background: Background, steps: StepLog, llm: LLMSettings
) -> Generator[Event, None, tuple[Question, Tokens]]:
    """The question that is looked up, and what wording it cost. `text` is checked."""
    language = question_language(text, asking.language)
    begun = steps.begin("analysis", _("Understanding the question."), queries=[text])
    yield begun
    worded = stand_alone(
        text,
        background.history,
        language=language,
        llm=step_model(llm, "rewriting") if scope.preset.asks_model else None,
        timeout=llm.step_seconds,
    )
    intent = classify(worded.text)
    wide = breadth(intent.intent)
    reason = worded.reason or _("It stands alone.")
    yield steps.end(begun, reason, queries=[worded.text], confidence=intent.confidence)
    question = Question(
        text=worded.text,
        typed=asking.question.strip(),
        reworded=worded.changed,
        language=language,
        collections=scope.collections,
        filters=asking.filters,
        top_k=asking.top_k or (max(wide.limit, _READ) if scope.preset.asks_model else wide.limit),
        threshold=wide.threshold,
        min_relevance=asking.min_relevance or 0.0,
        analysis=QuestionAnalysis(
            intent=intent.intent, confidence=intent.confidence, keywords=intent.keywords, entities=intent.entities
        ),
        synthesize=asking.synthesize,
        background=background,
        web=bool(scope.assistant and scope.assistant.web_search),
        max_tokens=asking.max_tokens,
        cancelled=taken_over(asking.conversation),
    )
    return question, worded.usage


def taken_over(conversation: Conversation | None) -> Callable[[], bool]:
    """Make this the question that `conversation` is answering; the result says whether a newer one is by now."""
    if conversation is None:
        return lambda: False
    own = uuid.uuid4()
    mine = Conversation.objects.filter(pk=conversation.pk)
    mine.update(answering=own)
    return lambda: not mine.filter(answering=own).exists()
