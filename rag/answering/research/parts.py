"""The simple questions of a composite one, by rules: the sides of a comparison, several questions in one."""

import re

from rag.understanding.comparison import compared_things

_MOST = 3
_QUESTION_WORD = (
    r"(?:kto|co|kiedy|gdzie|dokąd|skąd|jak|jaki|jaka|jakie|jaką|jakich|ile|czy|dlaczego|po co|który|która|które|komu"
    r"|kogo|who|what|when|where|how|which|why)"
)
_SENTENCES = re.compile(r"(?<=\?)\s+")
_JOINED = re.compile(rf",?\s+(?:oraz|i|a także|a|and)\s+(?={_QUESTION_WORD}\b)", re.IGNORECASE)


def simple_parts(question: str) -> tuple[str, ...]:
    """At most three, none where the question is simple. A later one may point back to the first:
    `rag.understanding.follow_up` sees to that.
    """
    parts = compared_things(question) or _joined(question)
    return tuple(parts[:_MOST]) if len(parts) > 1 else ()


def _joined(question: str) -> list[str]:
    sentences = [part for part in _SENTENCES.split(question) if part.endswith("?")]
    return [part.strip(" ,") for sentence in sentences or [question] for part in _JOINED.split(sentence)]
