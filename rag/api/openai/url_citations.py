"""Where an answer cites what, as both of OpenAI's APIs say it."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rag.types import Answer, Citation

Absolute = Callable[[str], str]
"""An address of this site as others reach it."""

_MARK = re.compile(r"\[(\d+)\]")


def url_citations(answer: Answer, absolute: Absolute, *, start: int = 0) -> list[dict[str, Any]]:
    """One for each `[n]` in the text, which begins at the character `start`; `quote` is more than OpenAI has."""
    cited = {citation.number: citation for citation in answer.citations}
    return [
        {
            "start_index": start + mark.start(),
            "end_index": start + mark.end(),
            "title": citation.title,
            "url": address_of(citation, absolute),
            "quote": citation.quote,
        }
        for mark in _MARK.finditer(answer.text)
        if (citation := cited.get(int(mark.group(1))))
    ]


def renumbered(answer: Answer, first: int) -> Answer:
    """The answer with citations numbered from `first` on: a program with sources of its own has begun to count."""
    moved = {citation.number: citation.number + first - 1 for citation in answer.citations}
    return replace(
        answer,
        text=_MARK.sub(lambda mark: f"[{moved.get(int(mark.group(1)), mark.group(1))}]", answer.text),
        citations=tuple(replace(citation, number=moved[citation.number]) for citation in answer.citations),
    )


def address_of(citation: Citation, absolute: Absolute) -> str:
    return absolute(citation.url) if citation.url else citation.uri


def judged(answer: Answer) -> dict[str, Any]:
    """What we say of an answer beside OpenAI's fields."""
    return {"outcome": answer.outcome, "confidence": round(answer.confidence, 3)}
