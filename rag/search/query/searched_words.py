"""What was looked for, in words: for the reader of a question that the sources did not answer."""

import re
from collections.abc import Iterable
from dataclasses import replace

from rag.search.query.analysis import AnalysedQuery
from rag.search.query.privacy_guard import may_be_hidden
from rag.search.query.terms import Alternative, QueryTerm
from rag.types import SearchedWord


def searched_words(query: AnalysedQuery) -> tuple[SearchedWord, ...]:
    """The content words of the question in their order, then its phrases that other words were searched for.

    They come from the collections that were searched, so they betray no word of others. A number that may be covered is
    never called missing: it was not looked up.
    """
    words = {term.typed: _searched_word(term, query) for term in query.terms}
    phrases: dict[str, SearchedWord] = {}
    for alternative in query.alternatives:
        known = phrases if " " in alternative.typed or alternative.typed not in words else words
        known[alternative.typed] = _with(known.get(alternative.typed), alternative)
    return (*words.values(), *phrases.values())


def _searched_word(term: QueryTerm, query: AnalysedQuery) -> SearchedWord:
    return SearchedWord(
        typed=_as_written(term.typed, query.text),
        read_as=_distinct(reading.form for reading in term.readings if reading.form != term.typed),
        in_documents=term.occurs or (query.guarded and may_be_hidden(term.typed)),
    )


def _with(known: SearchedWord | None, alternative: Alternative) -> SearchedWord:
    known = known or SearchedWord(typed=alternative.typed)
    return replace(known, other_words=_distinct((*known.other_words, alternative.text)))


def _as_written(form: str, text: str) -> str:
    """With its capitals, but for the one that begins the question. A word that was corrected stands there no more."""
    found = re.search(rf"\b{re.escape(form)}\b", text, re.IGNORECASE)
    begins = found is not None and found.start() == 0 and found[0][1:].islower()
    return form if found is None or begins else found[0]


def _distinct(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
