"""Which questions to ask so that a composite one is answered: by rules, or by a language model where there is one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from rag.errors import LLMError
from rag.llm.protocol import LanguageModel
from rag.types import Tokens
from rag.understanding.comparison import compared_things
from rag.understanding.meaning.decomposition import Decomposition

_MOST = 4
_QUESTION_WORD = (
    r"(?:kto|co|kiedy|gdzie|dokąd|skąd|jak|jaki|jaka|jakie|jaką|jakich|ile|czy|dlaczego|po co|który|która|które|komu"
    r"|kogo|who|what|when|where|how|which|why)"
)
_SENTENCES = re.compile(r"(?<=\?)\s+")
_JOINED = re.compile(rf",?\s+(?:oraz|i|a także|a|and)\s+(?={_QUESTION_WORD}\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A question to ask; it waits for the answers to those in `depends_on`, counted from 1."""

    text: str
    depends_on: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The questions in order, the whole one where it is not composite, and why there are so many."""

    questions: tuple[Planned, ...]
    reasoning: str
    usage: Tokens = field(default_factory=Tokens)


def plan_research(question: str, llm: LanguageModel | None, *, seconds: float) -> Plan:
    """At most four questions. A model is asked where the rules see a single one; if it fails, that is what it is."""
    if compared := compared_things(question):
        reason = _("A comparison: each side is looked up by itself, then both together.")
        return Plan(questions=_as_planned((*compared, question)), reasoning=reason)
    if len(parts := _parts(question)) > 1:
        return Plan(questions=_as_planned(parts), reasoning=_("Several questions in one: they are looked up in turn."))
    whole = Plan(questions=_as_planned([question]), reasoning=_("One question: it is looked up as it is."))
    if llm is None or seconds <= 0:
        return whole
    try:
        made = Decomposition(llm).transform(question, timeout=seconds)
    except LLMError:
        return whole
    if not made.variants:
        return Plan(questions=whole.questions, reasoning=whole.reasoning, usage=made.usage)
    return Plan(
        questions=tuple(Planned(text=variant.text, depends_on=variant.depends_on) for variant in made.variants),
        reasoning=_("A composite question: it is taken apart into simple ones."),
        usage=made.usage,
    )


def _as_planned(texts: Sequence[str]) -> tuple[Planned, ...]:
    return tuple(Planned(text=text) for text in texts[:_MOST])


def _parts(question: str) -> list[str]:
    """A later part may point back to the first: `rag.understanding.follow_up` sees to that."""
    sentences = [part for part in _SENTENCES.split(question) if part.endswith("?")]
    return [part.strip(" ,") for sentence in sentences or [question] for part in _JOINED.split(sentence)]
