"""The draft against its sources: a model's critique where the preset asks for one, then claim by claim."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from knowledgetree.postgres.connections import release_connections
from rag.answering.steps import StepLog
from rag.answering.synthesis.protocol import Synthesis
from rag.answering.verification import Verified, Verifier
from rag.answering.verification.confidence import LOW
from rag.answering.verification.critique import critique
from rag.errors import LLMError
from rag.events import Event
from rag.llm.protocol import LanguageModel
from rag.question import Evidence, Question
from rag.types import Notice, Tokens, Verification


@dataclass(frozen=True, slots=True, kw_only=True)
class Gaps:
    """What a model misses in a draft: `queries` worth another search, none where the draft will do."""

    queries: tuple[str, ...] = ()
    usage: Tokens = field(default_factory=Tokens)


class Checking:
    """Models are asked only where there are any: `critic` about the draft, `llm` about claims on which rules cannot
    decide.
    """

    def __init__(self, *, critic: LanguageModel | None, llm: LanguageModel | None, seconds: float) -> None:
        self._critic = critic
        self._seconds = seconds
        self._verifier = Verifier(llm=llm, timeout=seconds)

    def gaps(self, question: Question, synthesis: Synthesis, steps: StepLog) -> Generator[Event, None, Gaps]:
        """A model that fails finds none."""
        if self._critic is None or not synthesis.found or question.cancelled():
            return Gaps()
        begun = steps.begin("verification", _("Reading the draft critically."))
        yield begun
        release_connections()
        try:
            found = critique(
                question.to_answer, synthesis.text, language=question.language, llm=self._critic, timeout=self._seconds
            )
        except LLMError as error:
            yield steps.end(begun, str(error.message), status="failed")
            return Gaps()
        reason = _("The draft answers the question.") if found.good else _("The draft leaves something out.")
        yield steps.end(begun, reason, queries=found.missing)
        return Gaps(queries=found.missing, usage=found.usage)

    def verify(
        self, question: Question, evidence: Evidence, synthesis: Synthesis, steps: StepLog
    ) -> Generator[Event, None, Verified]:
        begun = steps.begin("verification", _("Comparing each sentence with the passage it cites."))
        yield begun
        result = evidence.result
        checked = self._verifier.verify(
            question.text,
            synthesis.text,
            synthesis.citations,
            evidence.read or result.passages,
            language=question.language,
            quality=result.quality,
        )
        yield steps.end(begun, _conclusion(checked.verification), confidence=checked.verification.confidence)
        return checked


def _conclusion(verification: Verification) -> str:
    doubtful = sum(claim.verdict in ("contradicted", "not_covered") for claim in verification.claims)
    unchecked = sum(claim.verdict == "unchecked" for claim in verification.claims)
    if unchecked and not doubtful:
        return _("The sources are in another language: numbers, dates and names agree with them.")
    if not doubtful:
        return _("The sources bear out every sentence that cites them.")
    words = ngettext(
        "%(n)d sentence is not borne out by its source.",
        "%(n)d sentences are not borne out by their sources.",
        doubtful,
    )
    return words % {"n": doubtful}


def doubts(verification: Verification) -> Sequence[Notice]:
    """What the reader should be told before they rely on the answer."""
    if verification.confidence >= LOW:
        return ()
    message = _("The sources bear this answer out only weakly: check them before you rely on it.")
    return (Notice(code="low_confidence", message=message),)
