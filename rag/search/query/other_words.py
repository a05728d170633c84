"""What a question's words are searched as beside themselves, for those who look for them in a text."""

from collections.abc import Iterator

from ingestion.text.analyser import analyser
from rag.question import OtherWords
from rag.search.query.analysis import AnalysedQuery
from rag.search.query.terms import QueryTerm


def other_words(query: AnalysedQuery) -> tuple[OtherWords, ...]:
    """Corrections of single words, their synonyms, and the phrases that stand for some of them."""
    single = [other for term in query.terms for other in _readings(term)]
    phrases = [
        OtherWords(
            typed=tuple(token.form for token in analyser().tokens(phrase.typed)),
            lemmas=tuple(term.text for term in phrase.terms),
            weight=phrase.weight,
        )
        for phrase in query.alternatives
    ]
    return (*single, *phrases)


def _readings(term: QueryTerm) -> Iterator[OtherWords]:
    own = {token.lemma for token in analyser().tokens(term.typed)}
    for reading in term.readings:
        if reading.lemma not in own:
            yield OtherWords(typed=(term.typed,), lemmas=(reading.lemma,), weight=reading.weight)
