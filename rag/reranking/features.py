"""A linear reranker over lexical signals: no model to download, weights in a file that a person can read."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from ingestion.text.analyser import analyser
from ingestion.text.searched import searched_text
from rag.query.analysis import AnalysedQuery
from rag.reranking.signals import SIGNALS, PassageWords, Question, QuestionWord
from rag.retrieval.lexical import CorpusStatistics
from rag.types import Passage

_FUNCTION_WORD_IDF = 0.5
SHIPPED = Path(__file__).with_name("features.json")


class FeaturesReranker:
    """Scores passages by the weighted sum of their signals.

    `weights` by name of signal; fitted by `fit_features` as a pairwise logistic regression (Joachims 2002).
    """

    def __init__(self, weights: Mapping[str, float] | None = None) -> None:
        self._weights = dict(weights) if weights is not None else shipped_weights()

    def scores(self, rows: Sequence[Mapping[str, float]]) -> list[float]:
        """The score of each passage from its signals; higher is better."""
        return [sum(weight * row[name] for name, weight in self._weights.items()) for row in rows]


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


@lru_cache(maxsize=1)
def shipped_weights() -> dict[str, float]:
    weights: dict[str, float] = json.loads(SHIPPED.read_text(encoding="utf-8"))["weights"]
    return weights
