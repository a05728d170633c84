"""A question of a conversation, worded so that it can be searched for without the conversation."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from rag.errors import LLMError
from rag.llm.protocol import LanguageModel
from rag.question import Turn
from rag.types import Tokens
from rag.understanding.courtesy import without_greeting
from rag.understanding.directness import without_retrieval
from rag.understanding.follow_up import english
from rag.understanding.follow_up.detection import Lean, lean_of
from rag.understanding.follow_up.ellipsis import with_condition, with_fragment
from rag.understanding.follow_up.model import reword_by_model
from rag.understanding.follow_up.topic import with_topic
from rag.understanding.language import question_language

_REMEMBERED = 10  # turns


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """`text` stands alone. `reason` says in the reader's language why it was `changed`, else it is ""."""

    text: str
    changed: bool = False
    reason: str = ""
    usage: Tokens = field(default_factory=Tokens)


def stand_alone(
    question: str, history: Sequence[Turn], *, language: str, llm: LanguageModel | None, timeout: float
) -> Rewritten:
    """`question` after `history`, oldest turn first; a question that stands alone is left as it is.

    By `llm`, which has `timeout` seconds; by rules without one, and where it fails or makes something up. `language`
    is that of a question whose own words do not tell.
    """
    turns = [turn for turn in history[-_REMEMBERED:] if not _is_direct(turn.question, language)]
    if not turns or not question.strip() or _is_direct(question, language):
        return Rewritten(text=question)
    usage = Tokens()
    if llm is not None:
        try:
            text, usage = reword_by_model(question, turns, language=language, llm=llm, timeout=timeout)
        except LLMError:
            text = ""
        if text:
            reason = _("A language model worded the question so that it can be understood without the conversation.")
            return Rewritten(
                text=text, changed=text != question, reason=reason if text != question else "", usage=usage
            )
    return _by_rules(question, turns, language, usage)


def _is_direct(question: str, language: str) -> bool:
    """Thanks, sums and the like are about nothing that could be followed up."""
    return without_retrieval(question, (), language=language) is not None


def _by_rules(question: str, turns: Sequence[Turn], language: str, usage: Tokens) -> Rewritten:
    """What was asked before is worded anew in turn, so that the topic is carried along."""
    before = ""
    for turn in turns:
        before, _lean = _after(without_greeting(turn.question), before, language)
    text, lean = _after(question, before, language)
    if lean is None or text == question:
        return Rewritten(text=question, usage=usage)
    return Rewritten(text=text, changed=True, reason=_reason(lean), usage=usage)


def _after(question: str, before: str, language: str) -> tuple[str, Lean | None]:
    """`question` as it stands alone after `before`, which does, and what in it leaned on that."""
    spoken = question_language(question, language)
    lean = english.lean_of(question) if spoken == "en" else lean_of(question)
    if lean is None or not before:
        return question, None
    if spoken == "en":
        return english.worded(lean, before), lean
    if lean.leaning == "condition":
        return with_condition(lean.core, before), lean
    return (with_fragment(lean.core, before) if lean.leaning == "fragment" else with_topic(lean, before)), lean


def _reason(lean: Lean) -> str:
    if lean.leaning in ("fragment", "condition"):
        return _("It continues the previous question.")
    if lean.leaning == "pronoun":
        return _("“%(word)s” refers to what was asked before.") % {"word": lean.word}
    return _("It does not say what it is about, so the topic of the previous question was added.")
