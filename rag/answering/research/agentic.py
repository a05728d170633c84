"""Research by a model that chooses its tools: search, read on, calculate (ReAct, Yao et al. 2023, with native tools).

Its own words are no evidence and are not shown as an answer: the synthesizer writes from the passages it has found.
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from knowledgetree.conf import ResearchSettings
from knowledgetree.postgres.connections import release_connections
from rag.answering.correction.merging import merged
from rag.answering.gathering import Gathering
from rag.answering.research.budget import Budget
from rag.answering.research.tools import (
    CALCULATE,
    OPEN,
    SEARCH,
    TOOLS,
    Shelf,
    ToolFailed,
    shown,
    surroundings,
    text_argument,
)
from rag.answering.steps import StepLog
from rag.errors import LLMError
from rag.events import Event, Retrieved
from rag.llm.prompts import render
from rag.llm.prompts.untrusted import neutralise
from rag.llm.protocol import LanguageModel
from rag.question import Evidence, Question, reworded
from rag.types import Message, ModelTurn, SearchResult, StepKind, Tokens, ToolCall, ToolResult
from rag.understanding.arithmetic import CalculationError, evaluate

_MAX_TOKENS = 800
_MOST_TURNS = 8
_SAID = 500  # characters of what the model says of its intentions
_KINDS: Mapping[str, StepKind] = {SEARCH.name: "rag_search", OPEN.name: "document", CALCULATE.name: "calculation"}


@dataclass(slots=True, kw_only=True)
class Desk:
    """What a research has in front of it."""

    question: Question
    steps: StepLog
    budget: Budget
    shelf: Shelf = field(default_factory=lambda: Shelf(passages=[]))
    found: list[Evidence] = field(default_factory=list)
    usage: Tokens = field(default_factory=Tokens)


class AgenticResearch:
    """Implements `Gathering`. `search` answers the whole question first, `lookup` what the model asks for after it."""

    def __init__(self, *, search: Gathering, lookup: Gathering, llm: LanguageModel, settings: ResearchSettings) -> None:
        self._search = search
        self._lookup = lookup
        self._llm = llm
        self._settings = settings

    def gather(self, question: Question, steps: StepLog) -> Generator[Event, None, Evidence]:
        """See `rag.answering.gathering.Gathering`. A model that fails leaves what has been found by then."""
        budget = Budget(seconds=self._settings.seconds, queries=self._settings.queries)
        desk = Desk(question=question, steps=steps, budget=budget)
        opening = yield from self._searched(desk, self._search, question.text)
        messages: list[Message] = [self._task(question, opening)]
        for _turn in range(_MOST_TURNS):
            turn = yield from self._next(desk, messages)
            if turn is None or not turn.calls:
                break
            results = yield from self._done(desk, turn)
            messages += [turn, results]
        evidence = self._evidence(desk)
        yield Retrieved(passages=evidence.result.passages, corrections=evidence.result.corrections)
        return evidence

    def _task(self, question: Question, opening: str) -> str:
        return render("research_task", question.language, question=neutralise(question.text), passages=opening or "–")

    def _next(self, desk: Desk, messages: Sequence[Message]) -> Generator[Event, None, ModelTurn | None]:
        """None: time, queries or the reader's patience are over, or the model failed."""
        if desk.budget.spent or desk.question.cancelled():
            return None
        begun = desk.steps.begin("analysis", _("Looking at what is still missing."))
        yield begun
        release_connections()
        try:
            turn = self._llm.converse(
                system=render("research", desk.question.language),
                messages=messages,
                tools=TOOLS,
                max_tokens=_MAX_TOKENS,
                timeout=desk.budget.seconds,
            )
        except LLMError as error:
            yield desk.steps.end(begun, str(error.message), status="failed")
            return None
        desk.usage += turn.usage
        yield desk.steps.end(begun, turn.text[:_SAID])
        return turn

    def _done(self, desk: Desk, turn: ModelTurn) -> Generator[Event, None, tuple[ToolResult, ...]]:
        results = []
        for call in turn.calls:
            try:
                text = yield from self._call(desk, call)
                results.append(ToolResult(call_id=call.id, text=text))
            except ToolFailed as failure:
                results.append(ToolResult(call_id=call.id, text=str(failure), failed=True))
        return tuple(results)

    def _call(self, desk: Desk, call: ToolCall) -> Generator[Event, None, str]:
        if desk.question.cancelled() or desk.budget.spent:
            raise ToolFailed("The budget is spent.")
        if call.name == SEARCH.name:
            return (yield from self._searched(desk, self._lookup, text_argument(call.arguments, "query")))
        if call.name not in _KINDS:
            raise ToolFailed(f"There is no tool {call.name!r}.")
        begun = desk.steps.begin(_KINDS[call.name], "", queries=[_words(call.arguments)])
        yield begun
        try:
            text, sources = self._read(desk, call) if call.name == OPEN.name else (_calculated(call), ())
        except ToolFailed as failure:
            yield desk.steps.end(begun, str(failure), status="failed")
            raise
        yield desk.steps.end(begun, sources=sources)
        return text

    def _searched(self, desk: Desk, search: Gathering, query: str) -> Generator[Event, None, str]:
        desk.budget.spend_query()
        evidence = yield from search.gather(reworded(desk.question, query), desk.steps)
        desk.found.append(evidence)
        numbers = desk.shelf.put(evidence.result.passages)
        return "\n".join(shown(number, desk.shelf.passages[number - 1]) for number in numbers)

    def _read(self, desk: Desk, call: ToolCall) -> tuple[str, tuple[str, ...]]:
        passage = desk.shelf.passage(call.arguments)
        wider = surroundings(passage, desk.question)
        (number,) = desk.shelf.put((wider,))
        desk.found.append(Evidence(result=SearchResult(passages=(wider,))))
        return shown(number, wider), (wider.title,)

    def _evidence(self, desk: Desk) -> Evidence:
        evidence = merged(desk.found, limit=desk.question.top_k)
        usage = {**evidence.result.usage, "tools": desk.usage}
        return replace(evidence, result=replace(evidence.result, usage=usage))


def _calculated(call: ToolCall) -> str:
    expression = text_argument(call.arguments, "expression")
    try:
        return f"{expression} = {evaluate(expression)}"
    except CalculationError as error:
        raise ToolFailed(str(error)) from error


def _words(arguments: Mapping[str, Any]) -> str:
    return ", ".join(str(value) for value in arguments.values())[:200]
