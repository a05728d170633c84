"""What a question's words are searched as beside themselves, for those who look for them in a text."""

from collections.abc import Iterator

from ingestion.text.analyser import analyser
from rag.question import SubstituteWords
from rag.search.query.analysis import AnalysedQuery
from rag.search.query.terms import QueryTerm


def other_words(query: AnalysedQuery) -> tuple[SubstituteWords, ...]:
    """Readings of words that were misspelt or typed without diacritics, and other words for one or several of them."""
    alternatives = [
        SubstituteWords(
            typed=tuple(query.terms[number].typed for number in other.stands_for),
            lemmas=other.lemmas,
            weight=other.weight,
        )
        for other in query.alternatives
    ]
    return (*(other for term in query.terms for other in _readings(term)), *alternatives)


def _readings(term: QueryTerm) -> Iterator[SubstituteWords]:
    own = {token.lemma for token in analyser().tokens(term.typed)}
    for reading in term.readings:
        if reading.lemma not in own:
            yield SubstituteWords(typed=(term.typed,), lemmas=(reading.lemma,), weight=1.0)
