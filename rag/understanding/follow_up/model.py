"""A follow-up worded to stand alone by a language model, and checked: it may add nothing of its own."""

import re
from collections.abc import Sequence

from pydantic import BaseModel

from ingestion.text.analyser import analyser
from ingestion.text.names.name_words import name_key
from knowledgetree.postgres.connections import release_connections
from rag.llm.prompts import render
from rag.llm.prompts.untrusted import neutralise
from rag.llm.protocol import LanguageModel
from rag.question import Turn
from rag.types import Tokens
from rag.understanding.keywords import entities
from rag.understanding.language import question_language

_MAX_TOKENS = 300
_LONGEST = 400  # characters
_LONGEST_ANSWER = 800  # characters of an answer that the model is shown
_WORD = re.compile(r"[^\W_]+")


class StandAlone(BaseModel):
    """`standalone` is the question itself where it was no `follow_up`."""

    standalone: str
    follow_up: bool


def reword_by_model(
    question: str, turns: Sequence[Turn], *, language: str, llm: LanguageModel, timeout: float
) -> tuple[str, Tokens]:
    """The question as the model worded it, or "" where that cannot be trusted, and what it cost.

    Raises LLMError, at the latest after `timeout` seconds.
    """
    spoken = question_language(question, language)
    release_connections()
    reply, usage = llm.structured(
        system=render("rewrite", spoken),
        prompt=render("follow_up", spoken, history=_shown(turns), question=neutralise(question)),
        schema=StandAlone,
        max_tokens=_MAX_TOKENS,
        timeout=timeout,
    )
    if not reply.follow_up:
        return question, usage
    text = " ".join(reply.standalone.split())
    said = " ".join([question, *(f"{turn.question} {turn.answer}" for turn in turns)])
    faithful = 0 < len(text) <= _LONGEST and question_language(text, spoken) == spoken and _adds_nothing(text, said)
    return (text if faithful else ""), usage


def _shown(turns: Sequence[Turn]) -> str:
    return "\n".join(
        f"<turn>\n<asked>{neutralise(turn.question)}</asked>\n"
        f"<answered>{neutralise(turn.answer[:_LONGEST_ANSWER])}</answered>\n</turn>"
        for turn in turns
    )


def _adds_nothing(text: str, said: str) -> bool:
    """Whether every number and name of `text` was said before, a name in any inflection."""
    numbers = {token.form for token in analyser().tokens(said)}
    if any(token.form not in numbers for token in analyser().tokens(text) if any(map(str.isdigit, token.form))):
        return False
    known = {key for word in _WORD.findall(said) for key in (word.lower(), name_key(word))}
    named = [word for name in entities(text) for word in _WORD.findall(name)]
    return all(word.lower() in known or name_key(word) in known for word in named)
