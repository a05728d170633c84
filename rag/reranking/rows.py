"""The signals of passages for a question, by name: what the features reranker and relevance are computed from."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from ingestion.text.analyser import Word, analyser
from rag.query.analysis import AnalysedQuery
from rag.reranking.signals import SIGNALS, PassageWords, Question, QuestionWord
from rag.retrieval.lexical import CorpusStatistics

_FUNCTION_WORD_IDF = 0.5


def signal_rows(
    query: AnalysedQuery, passages: Iterable[Sequence[Word]], statistics: CorpusStatistics
) -> list[dict[str, float]]:
    """The signals of passages, given the words of each, by name of the signal."""
    question = weighted_question(query, statistics)
    found = [PassageWords(question, words) for words in passages]
    return [{name: signal(question, passage) for name, signal in SIGNALS.items()} for passage in found]


def weighted_question(query: AnalysedQuery, statistics: CorpusStatistics) -> Question:
    idf = {reading.lemma: statistics.idf(term.lemma_chunks) for term in query.terms for reading in term.readings}
    words = analyser().words(query.text)
    return Question(
        pairs=tuple(
            ((left, right), idf.get(left, _FUNCTION_WORD_IDF) + idf.get(right, _FUNCTION_WORD_IDF))
            for left, right in pairwise(lemma for _, lemma in words)
        ),
        words=tuple(
            QuestionWord(
                forms=frozenset(reading.form for reading in term.readings),
                lemmas=frozenset(reading.lemma for reading in term.readings),
                idf=statistics.idf(term.lemma_chunks),
                name=term.name,
            )
            for term in query.terms
        ),
    )
