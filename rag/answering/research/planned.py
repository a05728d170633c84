"""Research step by step: the whole question is searched, then what is still missing, until that is enough."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _

from knowledgetree.conf import ResearchSettings
from rag.answering.context.section_reader import SectionReader
from rag.answering.correction.merging import merged
from rag.answering.gathering import Gathering
from rag.answering.research.budget import Budget
from rag.answering.research.parts import simple_parts
from rag.answering.research.sufficiency import judge_sufficiency
from rag.answering.steps import StepLog
from rag.errors import LLMError
from rag.events import Event, Retrieved
from rag.llm.protocol import LanguageModel
from rag.question import Evidence, Question, Turn, reworded
from rag.types import Tokens
from rag.understanding.follow_up import stand_alone


@dataclass(slots=True, kw_only=True)
class ResearchProgress:
    """How far a research has come: what was `searched`, what each search `found`, what deciding has cost."""

    question: Question
    steps: StepLog
    budget: Budget
    searched: list[str] = field(default_factory=list)
    found: list[Evidence] = field(default_factory=list)
    usage: Tokens = field(default_factory=Tokens)
    cut_short: bool = False

    @property
    def is_over(self) -> bool:
        return self.budget.spent or self.question.cancelled()

    def evidence(self) -> Evidence:
        return merged(self.found, limit=self.question.top_k)


class PlannedResearch:
    """Implements `Gathering`. `search` answers the whole question, `lookup` what is missing after it.

    What that is `llm` decides after each step, from what `reading` gives it: all that the answer would be written from.
    Without one, and where it fails, it is the simple questions that rules see in a composite one.
    """

    def __init__(
        self,
        *,
        search: Gathering,
        lookup: Gathering,
        reading: SectionReader,
        settings: ResearchSettings,
        llm: LanguageModel | None = None,
    ) -> None:
        self._search = search
        self._lookup = lookup
        self._reading = reading
        self._settings = settings
        self._llm = llm

    def gather(self, question: Question, steps: StepLog) -> Generator[Event, None, Evidence]:
        """See `rag.answering.gathering.Gathering`. The first search is made whatever the budget."""
        budget = Budget(seconds=self._settings.seconds, queries=self._settings.queries)
        progress = ResearchProgress(question=question, steps=steps, budget=budget)
        yield from self._looked_up(progress, self._search, [question.text])
        while missing := (yield from self._missing(progress)):
            yield from self._looked_up(progress, self._lookup, missing)
        evidence = progress.evidence()
        if len(progress.found) > 1:
            yield Retrieved(passages=evidence.result.passages, corrections=evidence.result.corrections)
        return _with_cost(replace(evidence, cut_short=progress.cut_short), progress.usage)

    def _looked_up(
        self, progress: ResearchProgress, search: Gathering, queries: Sequence[str]
    ) -> Generator[Event, None, None]:
        for query in queries:
            if progress.found and progress.is_over:
                progress.cut_short = True
                return
            progress.budget.spend_query()
            progress.searched.append(query)
            progress.found.append((yield from search.gather(reworded(progress.question, query), progress.steps)))

    def _missing(self, progress: ResearchProgress) -> Generator[Event, None, Sequence[str]]:
        """What to look up next; nothing where it is enough, or where the budget is spent."""
        if progress.is_over:
            progress.cut_short = progress.cut_short or (self._llm is None and bool(_parts_left(progress)))
            return ()
        begun = progress.steps.begin("analysis", _("Looking at what is still missing."))
        yield begun
        try:
            missing = yield from self._judged(progress)
        except LLMError as error:
            missing = _parts_left(progress)
            yield progress.steps.end(begun, str(error.message), status="failed", queries=missing)
            return missing
        reason = _("Something is missing, so it is looked up.") if missing else _("What was found is enough.")
        yield progress.steps.end(begun, reason, queries=missing)
        return missing

    def _judged(self, progress: ResearchProgress) -> Generator[Event, None, Sequence[str]]:
        """Raises LLMError."""
        if self._llm is None:
            return _parts_left(progress)
        evidence = yield from self._reading.read(progress.question, progress.evidence())
        judged = judge_sufficiency(
            progress.question.text,
            evidence.read,
            progress.searched,
            language=progress.question.language,
            llm=self._llm,
            timeout=progress.budget.seconds,
        )
        progress.usage += judged.usage
        return judged.missing


def _parts_left(progress: ResearchProgress) -> list[str]:
    """The simple parts of the question, worded to stand alone, where none of them has been searched yet."""
    if len(progress.searched) > 1:
        return []
    turns: list[Turn] = []
    for part in simple_parts(progress.question.text):
        alone = stand_alone(part, turns, language=progress.question.language, llm=None, timeout=0.0).text
        turns.append(Turn(question=alone, answer=""))
    return [turn.question for turn in turns]


def _with_cost(evidence: Evidence, usage: Tokens) -> Evidence:
    if not usage.total:
        return evidence
    return replace(evidence, result=replace(evidence.result, usage={**evidence.result.usage, "planning": usage}))
