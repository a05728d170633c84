"""What a question means here: what it refers back to, where it is looked up, and how."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from ingestion.models import Collection
from ingestion.selectors.clearance import Clearance
from knowledgetree.language_models import LLMSettings
from rag.answering.steps import StepLog
from rag.events import Event
from rag.llm import step_model
from rag.models import Assistant
from rag.presets import Preset
from rag.question import Background, Question, Turn
from rag.selectors import shown_exchanges
from rag.selectors.scope import clearance_in, searched_collections, with_archives
from rag.services.ask_request import AskRequest
from rag.services.choice import assistant_called, chosen_preset
from rag.services.documents_language import SearchedWording, in_documents_language
from rag.services.understanding.time_choice import time_moved_to
from rag.types import QuestionAnalysis, Tokens
from rag.understanding.follow_up import Rewritten, stand_alone
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
    clearance: Clearance


def scope_of(request: AskRequest) -> Scope:
    """Raises UnknownAssistant, UnknownPreset, InvalidFilter."""
    assistant = assistant_called(request.assistant, request.viewer)
    collections = searched_collections(request.viewer, request.filters, assistant)
    chosen = chosen_preset(request.preset, assistant=assistant, collections=collections, parts=request.parts)
    if request.min_relevance is not None:
        chosen = replace(chosen, min_relevance=request.min_relevance)
    clearance = clearance_in(collections, request.viewer)
    return Scope(assistant=assistant, collections=collections, preset=chosen, clearance=clearance)


def background_of(request: AskRequest, scope: Scope) -> Background:
    return Background(
        history=_remembered(request),
        instructions=scope.assistant.instructions if scope.assistant else "",
        page=request.page,
    )


def _remembered(request: AskRequest) -> tuple[Turn, ...]:
    """The last turns of the conversation, without those that the viewer may no longer see."""
    if request.conversation is None:
        return request.history[-_REMEMBERED:]
    shown = [one.exchange for one in shown_exchanges(request.conversation, request.viewer) if not one.hidden]
    if request.again:
        shown = shown[
            : max((at for at, one in enumerate(shown) if one.question == request.question), default=len(shown))
        ]
    return tuple(
        Turn(question=exchange.searched or exchange.question, answer=exchange.answer)
        for exchange in shown[-_REMEMBERED:]
    )


def understand(
    request: AskRequest, text: str, scope: Scope, background: Background, steps: StepLog, llm: LLMSettings
) -> Generator[Event, None, tuple[Question, Mapping[str, Tokens]]]:
    """The question that is looked up, and what wording it cost, by step. `text` is checked."""
    language = question_language(text, request.language)
    begun = steps.begin("analysis", _("Understanding the question."), queries=[text])
    yield begun
    model = step_model(llm, "rewriting") if scope.preset.asks_model else None
    worded = stand_alone(text, background.history, language=language, llm=model, timeout=llm.step_seconds)
    searched = in_documents_language(
        worded.text, language=language, collections=scope.collections, llm=model, seconds=llm.transformation_seconds
    )
    intent = classify(searched.text)
    wide = breadth(intent.intent)
    yield steps.end(begun, _reason(worded, searched), queries=[searched.text], confidence=intent.confidence)
    moved = time_moved_to(searched.text, request.filters, scope.collections, scope.preset, scope.clearance)
    question = Question(
        text=moved.text,
        typed=request.question.strip(),
        asked=worded.text if searched.translated or moved.text != searched.text else "",
        reworded=worded.changed or searched.translated,
        language=language,
        collections=with_archives(scope.collections, moved.filters),
        filters=moved.filters,
        top_k=request.top_k or (max(wide.limit, _READ) if scope.preset.asks_model else wide.limit),
        threshold=wide.threshold,
        min_relevance=request.min_relevance or 0.0,
        analysis=QuestionAnalysis(
            intent=intent.intent, confidence=intent.confidence, keywords=intent.keywords, entities=intent.entities
        ),
        synthesize=request.synthesize,
        background=replace(background, searched=searched.text if searched.translated else ""),
        notices=(*searched.notices, *moved.notices),
        web=bool(scope.assistant and scope.assistant.web_search),
        max_tokens=request.max_tokens,
        clearance=scope.clearance,
    )
    return question, {"rewriting": worded.usage, "translation": searched.usage}


def _reason(worded: Rewritten, searched: SearchedWording) -> str:
    if searched.translated:
        return _("A language model worded the question in the language of the documents.")
    return worded.reason or _("It stands alone.")
