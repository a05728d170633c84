"""What an answer must have to be one at all, whatever its words promise."""

import re
from collections.abc import Sequence

from django.utils import timezone

from rag.answering.judgement.parts import cited_text
from rag.types import Citation, Passage
from rag.understanding.expected import expected

_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,]\d|\d|\s?(?:zł|%|km|kg|m\b))")


def answers_otherwise(question: str, passages: Sequence[Passage], citations: Sequence[Citation]) -> bool:
    """Whether it has nothing of the kind asked for, no amount for "ile kosztuje", or nothing of the year asked about.

    A document that names no year is about this one.
    """
    asked = expected(question)
    if not any(asked.has_answer(citation.quote) for citation in citations):
        return True
    years = set(_YEAR.findall(question)) - {str(timezone.localdate().year)}
    return bool(years) and not any(year in cited_text(passages, citations) for year in years)
