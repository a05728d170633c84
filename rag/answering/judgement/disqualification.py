"""What an answer must have to be one at all, whatever its words promise."""

import re
from collections.abc import Sequence

from django.utils import timezone

from rag.answering.judgement.objects import objects_of
from rag.answering.judgement.parts import cited_text
from rag.answering.judgement.question_words import Words
from rag.answering.judgement.saying import lemmas_of, says
from rag.answering.judgement.series import is_of_others
from rag.types import Citation, Passage
from rag.understanding.asked_time import other_years
from rag.understanding.entries import has_answer
from rag.understanding.expected import expected

_UNSAID = 0.65  # refuses 16 of 235 answers more: 6 to near misses, 8 wrong ones, 2 right ones (docs/benchmarks.md)

# Letters with a digit or an underscore among them: "AUTH_FAILED", "mt940", "DZ-4102".
_CODE = re.compile(r"(?<![\w.-])(?=[\w-]*[_\d])[^\W\d_][\w-]{2,}(?!\w)")


def answers_otherwise(words: Words, passages: Sequence[Passage], citations: Sequence[Citation]) -> bool:
    """Whether it has nothing of the kind asked for, no amount for "ile kosztuje", nothing of the year asked about, or
    is about others of a series than the one that is asked about, version 2 and not 3.

    A document that names no year is about this one.
    """
    question = words.question.text
    asked = expected(question)
    if not any(has_answer(asked, one.quote, "".join(one.heading_path[-1:])) for one in citations):
        return True
    text = cited_text(passages, citations)
    years = other_years(question, today=timezone.localdate())
    cited = {citation.chunk_id for citation in citations}
    sources = [passage for passage in passages if passage.chunk_id in cited]
    is_of_year = not years or any(year in text or any(_is_of(year, one) for one in sources) for year in years)
    return not is_of_year or is_of_others(question, text)


def chance_left(words: Words, passages: Sequence[Passage], citations: Sequence[Citation]) -> float:
    """What is left, in [0, 1], of the chance that it answers: less where it says nothing of a thing that the question
    is about, so that all else must speak for it.
    """
    told = lemmas_of(cited_text(passages, citations))
    return 1.0 if all(says(words, thing, told) for thing in objects_of(words)) else _UNSAID


def defines_what_is_asked(words: Words, citations: Sequence[Citation]) -> bool:
    """Whether "co to jest PSZOK", of few words by nature, is answered by what says those that the library knows."""
    if not expected(words.question.text).definition:
        return False
    told = lemmas_of(citations[0].quote)
    known = [term for term in words.query.terms if term.lemma in words.asked_about and term.occurs]
    return bool(known) and all(says(words, term, told) for term in known)


def quotes_what_is_named(words: Words, passages: Sequence[Passage], citations: Sequence[Citation]) -> bool:
    """Whether a code that the question names, "AUTH_FAILED", "SK-2011", stands in the passage that the answer begins
    with. Such a question has few words besides, and a code is seldom written where nothing is said of it.
    """
    told = cited_text(passages, citations[:1]).lower()
    named = map(str.lower, _CODE.findall(words.last_sentence))
    return any(re.search(rf"(?<!\w){re.escape(code)}(?!\w)", told) for code in named)


def _is_of(year: str, passage: Passage) -> bool:
    """Whether its document is called after the year, or was in force then and is not today."""
    held, number = passage.held, int(year)
    if held is None:
        return year in passage.uri
    return (held.first is None or held.first.year <= number) and (held.last is None or held.last.year >= number)
