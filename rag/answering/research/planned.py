"""Research by plan: the questions a composite one consists of, one search each, until the budget is spent."""

from collections.abc import Generator, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from knowledgetree.conf import ResearchSettings
from rag.answering.correction.merging import merged
from rag.answering.gathering import Gathering
from rag.answering.research.budget import Budget
from rag.answering.research.plan import Plan, Planned, plan_research
from rag.answering.steps import StepLog
from rag.answering.synthesis.protocol import Synthesizer
from rag.events import Event, Retrieved
from rag.llm.protocol import LanguageModel
from rag.question import Evidence, Question, Turn, reworded
from rag.types import SearchResult
from rag.understanding.follow_up import stand_alone


class PlannedResearch:
    """Implements `Gathering`. `search` answers one simple question; `notes` words what it found, for the questions that
    build on it.
    """

    def __init__(
        self, *, search: Gathering, notes: Synthesizer, settings: ResearchSettings, llm: LanguageModel | None = None
    ) -> None:
        self._search = search
        self._notes = notes
        self._settings = settings
        self._llm = llm

    def gather(self, question: Question, steps: StepLog) -> Generator[Event, None, Evidence]:
        """See `rag.answering.gathering.Gathering`. The first search is made whatever the budget."""
        budget = Budget(seconds=self._settings.seconds, queries=self._settings.queries)
        plan = yield from self._plan(question, steps, budget)
        parts: list[Evidence] = []
        turns: list[Turn] = []
        cut_short = False
        for one in plan.questions:
            if cut_short := bool(parts) and (budget.spent or question.cancelled()):
                break
            part = self._worded(question, one, turns, budget)
            budget.spend_query()
            found = yield from self._search.gather(part, steps)
            parts.append(found)
            turns.append(self._turn(part, found))
        evidence = merged(parts, limit=question.top_k)
        if len(parts) > 1:
            yield Retrieved(passages=evidence.result.passages, corrections=evidence.result.corrections)
        return replace(_with_plan_cost(evidence, plan), cut_short=cut_short)

    def _plan(self, question: Question, steps: StepLog, budget: Budget) -> Generator[Event, None, Plan]:
        begun = steps.begin("analysis", _("Deciding what has to be looked up."), queries=[question.text])
        yield begun
        plan = plan_research(question.text, self._llm, seconds=budget.seconds)
        yield steps.end(begun, plan.reasoning, queries=[one.text for one in plan.questions])
        return plan

    def _worded(self, question: Question, one: Planned, turns: Sequence[Turn], budget: Budget) -> Question:
        """A question that builds on others is worded with what they came to; any part may point back to the first."""
        llm = self._llm if one.depends_on else None
        alone = stand_alone(one.text, turns, language=question.language, llm=llm, timeout=budget.seconds)
        return reworded(question, alone.text)

    def _turn(self, part: Question, found: Evidence) -> Turn:
        draft = self._notes.synthesize(part.text, found.result.passages, language=part.language)
        for _piece in draft:
            pass
        return Turn(question=part.text, answer=draft.result.text)


def _with_plan_cost(evidence: Evidence, plan: Plan) -> Evidence:
    if not plan.usage.total:
        return evidence
    result: SearchResult = evidence.result
    return replace(evidence, result=replace(result, usage={**result.usage, "planning": plan.usage}))
