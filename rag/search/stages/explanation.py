"""Which words of the question a passage has, as data; `rag.search.reasons` says it in words."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ingestion.models import Collection
from ingestion.text.analyser import Word
from knowledgetree.conf import LexicalSettings
from rag.search.context import SearchContext
from rag.search.query.analysis import AnalysedQuery
from rag.search.query.terms import QueryTerm
from rag.search.relevance.relevance import coverage
from rag.search.retrieval.lexical import CorpusStatistics
from rag.types import Passage, WordMatch

# As if the corpus had this many more chunks: in a handful of documents every word is frequent, and one that is missing
# would outweigh all the others together.
_PSEUDO_CHUNKS = 1000


class Explaining:
    """Says of each passage which words of the question it was found by."""

    name = "explanation"

    def __init__(self, settings: LexicalSettings) -> None:
        self._settings = settings

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        explainers = {
            collection.slug: WordExplainer(
                query=search.query, statistics=search.statistics, settings=self._settings, collection=collection
            )
            for collection in search.collections
        }
        asked = search.words.asked(passages)
        return [
            _explained(passage, explainers[passage.collection].matches(words, length), explainers[passage.collection])
            for passage, (words, length) in zip(passages, asked, strict=True)
        ]


def _explained(passage: Passage, matches: tuple[WordMatch, ...], explainer: "WordExplainer") -> Passage:
    explanation = replace(passage.explanation, words=matches, coverage=explainer.coverage(matches))
    return replace(passage, explanation=explanation)


class WordExplainer:
    """Attributes the BM25 scores of a collection's chunks to the words of the question."""

    def __init__(
        self, *, query: AnalysedQuery, statistics: CorpusStatistics, settings: LexicalSettings, collection: Collection
    ) -> None:
        smoothed = replace(statistics, chunks=statistics.chunks + _PSEUDO_CHUNKS)
        self._terms = [
            (
                term,
                collection.lemma_weight * statistics.idf(term.lemma_chunks),
                collection.form_weight * statistics.idf(term.form_chunks),
            )
            for term in query.terms
        ]
        self._smoothed_idf = {
            term.typed: smoothed.idf(max(term.lemma_chunks, term.form_chunks)) for term in query.terms
        }
        self._settings = settings
        self._mean_length = statistics.mean_length or 1.0

    def matches(self, found: Sequence[Word], length: int) -> tuple[WordMatch, ...]:
        """The words of the question `found` in a chunk that is searched by `length` words; weightiest first."""
        lemmas, forms = Counter(lemma for _, lemma in found), Counter(form for form, _ in found)
        k1, b = self._settings.k1, self._settings.b
        norm = k1 * (1 - b + b * length / self._mean_length)
        matches = [
            WordMatch(typed=term.typed, lemma=term.lemma, forms=_forms_found(term, found), contribution=contribution)
            for term, lemma_weight, form_weight in self._terms
            if (
                contribution := sum(
                    reading.weight
                    * (
                        lemma_weight * _saturated(lemmas[reading.lemma], norm)
                        + form_weight * _saturated(forms[reading.form], norm)
                    )
                    for reading in term.readings
                )
            )
            > 0
        ]
        return tuple(sorted(matches, key=lambda match: -match.contribution))

    def coverage(self, matches: Iterable[WordMatch]) -> float:
        """The idf-weighted share of the question's words that the chunk has, in [0, 1]."""
        found = {match.typed for match in matches}
        weights = self._smoothed_idf
        return coverage([idf for typed, idf in weights.items() if typed in found], sum(weights.values()))


def _saturated(count: int, norm: float) -> float:
    return count / (count + norm)


def _forms_found(term: QueryTerm, words: Iterable[Word]) -> tuple[str, ...]:
    lemmas = {reading.lemma for reading in term.readings}
    forms = {reading.form for reading in term.readings}
    return tuple(sorted({form for form, lemma in words if lemma in lemmas or form in forms}))
