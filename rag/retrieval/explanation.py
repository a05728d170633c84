"""Why a passage is in the list: as data for programs, in words for people."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from ingestion.models import Collection
from ingestion.text.analyser import Word
from knowledgetree.conf import LexicalSettings
from rag.query.analysis import AnalysedQuery
from rag.query.terms import QueryTerm
from rag.retrieval.after_fusion import after_fusion_in_words
from rag.retrieval.context import SearchContext
from rag.retrieval.lexical import CorpusStatistics
from rag.retrieval.relevance import coverage
from rag.types import Explanation, Passage, WordMatch

# As if the corpus had this many more chunks: in a handful of documents every word is frequent, and one that is missing
# would outweigh all the others together.
_PSEUDO_CHUNKS = 1000


class Explaining:
    """Says of each passage which words of the question it was found by."""

    name = "explanation"

    def __init__(self, settings: LexicalSettings) -> None:
        self._settings = settings

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        explainer = WordExplainer(query=search.query, statistics=search.statistics, settings=self._settings)
        by_slug = {collection.slug: collection for collection in search.collections}
        return [
            _explained(passage, search.words(passage), explainer, by_slug[passage.collection]) for passage in passages
        ]


def _explained(passage: Passage, words: Sequence[Word], explainer: "WordExplainer", collection: Collection) -> Passage:
    weighted = replace(explainer, lemma_weight=collection.lemma_weight, form_weight=collection.form_weight)
    matches = weighted.matches(words)
    explanation = replace(passage.explanation, words=matches, coverage=weighted.coverage(matches))
    return replace(passage, explanation=explanation)


@dataclass(frozen=True, slots=True, kw_only=True)
class WordExplainer:
    """Attributes a chunk's BM25 score to the words of the question."""

    query: AnalysedQuery
    statistics: CorpusStatistics
    settings: LexicalSettings
    lemma_weight: float = 1.0
    form_weight: float = 0.3

    def matches(self, words: Sequence[Word]) -> tuple[WordMatch, ...]:
        """The words of the question found among `words`, which the chunk is searched by; weightiest first."""
        lemmas = Counter(lemma for _, lemma in words)
        forms = Counter(form for form, _ in words)
        found = [
            WordMatch(
                typed=term.typed,
                lemma=term.lemma,
                forms=_forms_found(term, words),
                contribution=contribution,
            )
            for term in self.query.terms
            if (contribution := self._contribution(term, lemmas, forms, len(words))) > 0
        ]
        return tuple(sorted(found, key=lambda match: -match.contribution))

    def coverage(self, matches: Iterable[WordMatch]) -> float:
        """The idf-weighted share of the question's words that the chunk has, in [0, 1]."""
        found = {match.typed for match in matches}
        weights = {term.typed: self._smoothed_idf(term) for term in self.query.terms}
        return coverage([idf for typed, idf in weights.items() if typed in found], sum(weights.values()))

    def _smoothed_idf(self, term: QueryTerm) -> float:
        smoothed = CorpusStatistics(chunks=self.statistics.chunks + _PSEUDO_CHUNKS, mean_length=0.0)
        return smoothed.idf(max(term.lemma_chunks, term.form_chunks))

    def _contribution(self, term: QueryTerm, lemmas: Counter[str], forms: Counter[str], length: int) -> float:
        lemma_idf, form_idf = self.statistics.idf(term.lemma_chunks), self.statistics.idf(term.form_chunks)
        return sum(
            reading.weight
            * (
                self.lemma_weight * lemma_idf * self._saturated(lemmas[reading.lemma], length)
                + self.form_weight * form_idf * self._saturated(forms[reading.form], length)
            )
            for reading in term.readings
        )

    def _saturated(self, count: int, length: int) -> float:
        k1, b = self.settings.k1, self.settings.b
        norm = k1 * (1 - b + b * length / (self.statistics.mean_length or 1.0))
        return count / (count + norm)


def _forms_found(term: QueryTerm, words: Sequence[Word]) -> tuple[str, ...]:
    lemmas = {reading.lemma for reading in term.readings}
    forms = {reading.form for reading in term.readings}
    return tuple(sorted({form for form, lemma in words if lemma in lemmas or form in forms}))


def in_words(explanation: Explanation) -> list[str]:
    """Sentences for the reader, in the reader's language."""
    sentences = []
    for match in explanation.words:
        forms = ", ".join(f"„{form}”" for form in match.forms)
        sentences.append(
            _("Your word „%(typed)s” (base form „%(lemma)s”) stands here as %(forms)s: %(points).2f points.")
            % {"typed": match.typed, "lemma": match.lemma, "forms": forms, "points": match.contribution}
        )
    if explanation.lexical_rank:
        sentences.append(
            _("By words it is number %(rank)d (BM25 %(score).2f).")
            % {"rank": explanation.lexical_rank, "score": explanation.lexical_score or 0.0}
        )
    if explanation.dense_rank:
        sentences.append(_by_similarity(explanation))
    for variant in explanation.variants:
        sentences.append(_("Another wording of the question finds it: „%(variant)s”.") % {"variant": variant})
    if explanation.graph_path:
        sentences.append(_("Linked by names: %(path)s.") % {"path": " → ".join(explanation.graph_path)})
    share = round(100 * explanation.coverage)
    sentences.append(_("It covers %(share)d %% of what the question asks for.") % {"share": share})
    return [*sentences, *after_fusion_in_words(explanation)]


def _by_similarity(explanation: Explanation) -> str:
    said = _("By similarity of vectors it is number %(rank)d (cosine %(similarity).2f).")
    if explanation.sentence:
        said = _(
            "By similarity of the vector of its sentence %(sentence)d it is number %(rank)d (cosine %(similarity).2f)."
        )
    return said % {
        "rank": explanation.dense_rank,
        "similarity": explanation.similarity or 0.0,
        "sentence": explanation.sentence,
    }
