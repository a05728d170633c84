"""Which words of the question a passage has, as data; `rag.search.reasons` says it in words."""

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace

from ingestion.models import Collection
from ingestion.text.analyser import Word
from knowledgetree.conf import LexicalSettings
from rag.search.context import SearchContext
from rag.search.passage_words import worth
from rag.search.query.analysis import AnalysedQuery
from rag.search.query.terms import Alternative, QueryTerm
from rag.search.relevance.relevance import coverage
from rag.search.retrieval.lexical import CorpusStatistics
from rag.types import Passage, Substitute, WordMatch

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
        self._query = query
        self._statistics = statistics
        self._smoothed_idf = {
            term.typed: smoothed.idf(max(term.lemma_chunks, term.form_chunks)) for term in query.terms
        }
        self._weights = [  # of an occurrence of each term as a lemma and as a form
            (
                collection.lemma_weight * statistics.idf(term.lemma_chunks),
                collection.form_weight * statistics.idf(term.form_chunks),
            )
            for term in query.terms
        ]
        self._texts = [  # by which each term is found: its lemmas and its forms
            ({reading.lemma for reading in term.readings}, {reading.form for reading in term.readings})
            for term in query.terms
        ]
        self._worths = {(one.text, one.source): worth(one) for one in query.alternatives}
        self._settings = settings
        self._mean_length = statistics.mean_length or 1.0

    def matches(self, found: Sequence[Word], length: int) -> tuple[WordMatch, ...]:
        """The words of the question `found` in a chunk that is searched by `length` words; weightiest first."""
        counts = _Counts.of(found, norm=self._norm(length))
        others = [one for one in self._query.alternatives if all(lemma in counts.lemmas for lemma in one.lemmas)]
        matches = [
            self._match(term, [one for one in others if number in one.stands_for], counts, number)
            for number, term in enumerate(self._query.terms)
        ]
        return tuple(sorted(filter(None, matches), key=lambda match: -match.contribution))

    def coverage(self, matches: Iterable[WordMatch]) -> float:
        """The idf-weighted share of the question's words that the chunk has, in [0, 1]; other words by their worth."""
        weights = self._smoothed_idf
        found = [
            weights[match.typed] * max((self._worths[one.text, one.origin] for one in match.substitutes), default=1.0)
            for match in matches
        ]
        return coverage(found, sum(weights.values()))

    def _match(
        self, term: QueryTerm, others: Sequence[Alternative], counts: "_Counts", number: int
    ) -> WordMatch | None:
        """What stands for a phrase adds to the score once, with the phrase's first word. None where nothing stands."""
        forms = _forms_found(*self._texts[number], counts.words)
        shown = forms or tuple(sorted({form for one in others for form in _forms_of(one, counts.words)}))
        if not shown:
            return None
        added = sum(self._of_other(one, counts) for one in others if one.stands_for[0] == number)
        return WordMatch(
            typed=term.typed,
            lemma=term.lemma,
            forms=shown,
            contribution=self._own(number, counts) + added,
            substitutes=() if forms else tuple(Substitute(text=one.text, origin=one.source) for one in others),
        )

    def _own(self, number: int, counts: "_Counts") -> float:
        by_lemma, by_form = self._weights[number]
        return sum(
            by_lemma * counts.saturated(counts.lemmas[reading.lemma])
            + by_form * counts.saturated(counts.forms[reading.form])
            for reading in self._query.terms[number].readings
        )

    def _of_other(self, other: Alternative, counts: "_Counts") -> float:
        return other.weight * min(
            self._statistics.idf(term.lemma_chunks) * counts.saturated(counts.lemmas[term.text]) for term in other.terms
        )

    def _norm(self, length: int) -> float:
        k1, b = self._settings.k1, self._settings.b
        return k1 * (1 - b + b * length / self._mean_length)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counts:
    """The words of a chunk that are asked for, each once, and how often their texts stand there; `norm` by the chunk's
    length.
    """

    words: Sequence[Word]
    lemmas: Counter[str]
    forms: Counter[str]
    norm: float

    @classmethod
    def of(cls, words: Sequence[Word], *, norm: float) -> "_Counts":
        lemmas, forms = Counter(lemma for _, lemma in words), Counter(form for form, _ in words)
        return cls(words=tuple(set(words)), lemmas=lemmas, forms=forms, norm=norm)

    def saturated(self, count: int) -> float:
        return count / (count + self.norm)


def _forms_found(lemmas: Set[str], forms: Set[str], words: Iterable[Word]) -> tuple[str, ...]:
    return tuple(sorted({form for form, lemma in words if lemma in lemmas or form in forms}))


def _forms_of(other: Alternative, words: Iterable[Word]) -> set[str]:
    return {form for form, lemma in words if lemma in other.lemmas}
