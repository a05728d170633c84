"""The signals of passages for a question, by name: what the features reranker and relevance are computed from."""

from collections.abc import Sequence
from itertools import pairwise

from ingestion.text.analyser import analyser
from ingestion.text.searched import searched_text
from rag.query.analysis import AnalysedQuery
from rag.reranking.signals import SIGNALS, PassageWords, Question, QuestionWord
from rag.retrieval.lexical import CorpusStatistics
from rag.types import Passage

_FUNCTION_WORD_IDF = 0.5


def signal_rows(
    query: AnalysedQuery, passages: Sequence[Passage], statistics: CorpusStatistics
) -> list[dict[str, float]]:
    """The signals of each passage, by name."""
    question = weighted_question(query, statistics)
    words = analyser()
    rows = []
    for passage in passages:
        text = searched_text(title=passage.title, headings=passage.heading_path, text=passage.text)
        found = PassageWords(question, words.words(text))
        rows.append({name: signal(question, found) for name, signal in SIGNALS.items()})
    return rows


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
