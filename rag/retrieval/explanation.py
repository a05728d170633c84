"""Why a passage is in the list: as data for programs, in words for people."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from ingestion.text.analyser import analyser
from knowledgetree.conf import LexicalSettings
from rag.query.analysis import AnalysedQuery, QueryTerm
from rag.retrieval.lexical import CorpusStatistics
from rag.retrieval.relevance import coverage
from rag.types import Explanation, WordMatch

Counts = dict[int, tuple[int, int, int]]
"""By term: (lemma count, form count, length) in one chunk."""


# As if the corpus had this many more chunks: in a handful of documents every word is frequent, and one that is missing
# would outweigh all the others together.
_PSEUDO_CHUNKS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class WordExplainer:
    """Attributes a chunk's BM25 score to the words of the question."""

    query: AnalysedQuery
    statistics: CorpusStatistics
    settings: LexicalSettings
    lemma_weight: float = 1.0
    form_weight: float = 0.3

    def matches(self, counts: Counts, text: str) -> tuple[WordMatch, ...]:
        """The words found, weightiest first. `text` is what the chunk is searched by: its forms are shown."""
        forms: dict[str, set[str]] = {}
        for token in analyser().tokens(text):
            forms.setdefault(token.lemma, set()).add(token.form)
        found = [
            WordMatch(
                typed=term.typed,
                lemma=term.lemma,
                forms=tuple(sorted(forms.get(term.lemma, {term.typed}))),
                contribution=contribution,
            )
            for term in self.query.terms
            if (contribution := self._contribution(term, counts)) > 0
        ]
        return tuple(sorted(found, key=lambda match: -match.contribution))

    def coverage(self, counts: Counts) -> float:
        """The idf-weighted share of the question's words that the chunk has, in [0, 1]."""
        weights = [(term, self._idf(term)) for term in self.query.terms]
        found = [idf for term, idf in weights if self._contribution(term, counts) > 0]
        return coverage(found, sum(idf for _, idf in weights))

    def _idf(self, term: QueryTerm) -> float:
        chunks = term.lemma_term.lemma_chunks if term.lemma_term else 0
        forms = term.form_term.form_chunks if term.form_term else 0
        smoothed = CorpusStatistics(chunks=self.statistics.chunks + _PSEUDO_CHUNKS, mean_length=0.0)
        return smoothed.idf(max(chunks, forms))

    def _contribution(self, term: QueryTerm, counts: Counts) -> float:
        gain = 0.0
        if term.lemma_term and term.lemma_term.id in counts:
            lemma, _forms, length = counts[term.lemma_term.id]
            gain += self.lemma_weight * self._saturated(lemma, length, term.lemma_term.lemma_chunks)
        if term.form_term and term.form_term.id in counts:
            _lemmas, form, length = counts[term.form_term.id]
            gain += self.form_weight * self._saturated(form, length, term.form_term.form_chunks)
        return gain

    def _saturated(self, count: int, length: int, chunks: int) -> float:
        if not count:
            return 0.0
        k1, b = self.settings.k1, self.settings.b
        norm = k1 * (1 - b + b * length / (self.statistics.mean_length or 1.0))
        return self.statistics.idf(chunks) * count / (count + norm)


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
        sentences.append(
            _("By similarity of vectors it is number %(rank)d (cosine %(similarity).2f).")
            % {"rank": explanation.dense_rank, "similarity": explanation.similarity or 0.0}
        )
    share = round(100 * explanation.coverage)
    sentences.append(_("It covers %(share)d %% of what the question asks for.") % {"share": share})
    return sentences
