"""BM25 in PostgreSQL, over lemmas and over word forms, correct at every moment.

score(q, c) = sum over words t of q: w_lemma * idf_l(t) * tf_l / (tf_l + K) + w_form * idf_f(t) * tf_f / (tf_f + K)
with K = k1 * (1 - b + b * length / mean length) and Lucene's idf (`rag.search.retrieval.bm25`). The mean length, and
how many chunks there are and have a word, are those of the collections searched.

Large collections have the postings of frequent words in packed lists, which `packed` scores. Where there are none,
frequent words cost most and decide little: beyond `max_postings` they are not scanned but looked up for the best chunks
of the rarer ones (after MaxScore, Turtle and Flood 1995). The result is then exact wherever the rarer words
alone set the best chunks apart; docs/benchmarks.md has the loss where they do not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ingestion.models import Collection
from knowledgetree.conf import LexicalSettings
from knowledgetree.postgres.prepared_statements import fetch
from rag.search.query.analysis import AnalysedQuery
from rag.search.query.privacy_guard import may_be_hidden
from rag.search.query.terms import QueryTerm
from rag.search.query.vocabulary import VocabularyTerm
from rag.search.retrieval.bm25 import inverse_document_frequency
from rag.search.retrieval.filters import Condition, named
from rag.search.retrieval.packed_bm25 import score_packed, search_packed

_POOL_FACTOR = 4
# Every number is made a float8: a literal with a decimal point would be a numeric, which is four times as slow. Weights
# are multiplied before: each operation here is done for every posting.
_SCORE = """sum(
        q.lemma * p.lemma_count / (p.lemma_count + (%(a)s::float8 + %(s)s::float8 * p.length))
        + q.form * p.form_count / (p.form_count + (%(a)s::float8 + %(s)s::float8 * p.length))
    )"""
_POSTINGS = """
    FROM unnest(%(terms)s::int[], %(collections)s::int[], %(lemma)s::float8[], %(form)s::float8[])
        AS q(term_id, collection_id, lemma, form)
    JOIN ingestion_posting p USING (term_id, collection_id)"""
# The inner query reads only the covering index. Its best `pool` rows reach the chunk and document tables in order of
# score, and only until `limit` of them pass the condition.
_SEARCH = f"""
SELECT ranked.chunk_id, ranked.score
FROM (
    SELECT p.chunk_id, {_SCORE} AS score {_POSTINGS}
    GROUP BY p.chunk_id
    ORDER BY score DESC, p.chunk_id
    LIMIT %(pool)s
) AS ranked
JOIN ingestion_chunk c ON c.id = ranked.chunk_id
JOIN ingestion_document d ON d.id = c.document_id
WHERE {{condition}}
ORDER BY ranked.score DESC, ranked.chunk_id
LIMIT %(limit)s
"""  # noqa: S608  (put together from the constants above)
_STATISTICS = """
SELECT coalesce(sum(chunks) FILTER (WHERE wanted), 0), coalesce(sum(words) FILTER (WHERE wanted), 0),
       coalesce(sum(chunks), 0), coalesce(max(packed_to) FILTER (WHERE wanted), 0)
FROM (SELECT *, collection_id = ANY(%s) AS wanted FROM ingestion_collectionstatistics) AS s
"""
# Of a few chunks, whoever proposed them, those that meet the condition.
_AMONG = f"""
SELECT p.chunk_id, {_SCORE} AS score {_POSTINGS}
JOIN ingestion_chunk c ON c.id = p.chunk_id
JOIN ingestion_document d ON d.id = c.document_id
WHERE p.chunk_id = ANY(%(chunks)s) AND {{condition}}
GROUP BY p.chunk_id
ORDER BY score DESC, p.chunk_id
LIMIT %(limit)s
"""
_LOOK_UP = f"SELECT p.chunk_id, {_SCORE} {_POSTINGS} WHERE p.chunk_id = ANY(%(chunks)s) GROUP BY p.chunk_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusStatistics:
    """`chunks` searched of `all_chunks` that are indexed, and their mean `length` in words; `packed`: some of them are
    in collections with posting lists; `hidden`: so many of `chunks` whoever looks may not read, None where that was not
    counted.
    """

    chunks: int
    mean_length: float
    all_chunks: int
    packed: bool = False
    hidden: int | None = None

    @property
    def share(self) -> float:
        """How much of the chunks may be read, in (0, 1]."""
        return (self.chunks - (self.hidden or 0)) / self.chunks if 0 <= (self.hidden or 0) < self.chunks else 1.0

    def idf(self, chunks_with_term: int) -> float:
        return inverse_document_frequency(min(self.chunks, chunks_with_term), self.chunks)

    def idf_of(self, terms: Iterable[QueryTerm]) -> float:
        """The sum over words of a question, each by the chunks that have it in any reading of full weight."""
        return sum(self.idf(term.lemma_chunks) for term in terms)


@dataclass(frozen=True, slots=True, kw_only=True)
class TermWeight:
    """What a term of the index adds for the question: an idf as a lemma, one as a form, and the postings it costs."""

    lemma_idf: float
    form_idf: float
    postings: int
    guarded: bool = False
    """Not looked up in collections whose personal data are covered (`rag.search.query.privacy_guard`)."""


def corpus_statistics(collection_ids: Sequence[int]) -> CorpusStatistics:
    chunks, words, all_chunks, packed = map(int, fetch(_STATISTICS, [list(collection_ids)])[0])
    return CorpusStatistics(
        chunks=chunks,
        mean_length=words / max(1, chunks),
        all_chunks=all_chunks,
        packed=packed > 0,
    )


class LexicalRetriever:
    """BM25 over the postings of the given collections."""

    def __init__(self, settings: LexicalSettings) -> None:
        self._settings = settings

    def retrieve(
        self,
        query: AnalysedQuery,
        *,
        collections: Sequence[Collection],
        statistics: CorpusStatistics,
        condition: Condition,
        limit: int,
    ) -> list[tuple[int, float]]:
        """(chunk key, score) pairs, best first, at most `limit`, scores above 0."""
        weights = term_weights(query, statistics)
        if not weights or not collections or not statistics.chunks:
            return []
        common = self._parameters(statistics)
        few = condition.clearance.opening.few if condition.clearance.opening else None
        if statistics.packed and few is not None and not condition.of_text:
            return score_packed(common | _arrays(weights, collections), condition, few, limit)
        if statistics.packed:
            values, quoted = common | _arrays(weights, collections), _quoted(query, condition)
            return search_packed(values, condition, limit, quoted, share=statistics.share)
        scanned, looked_up = self._split(weights)
        pool = max(limit, self._settings.pool) if looked_up else limit
        ranked = self._search(common | _arrays(scanned, collections), condition, pool, _postings(scanned))
        if looked_up and ranked:
            extra = self._look_up(common | _arrays(looked_up, collections), [chunk for chunk, _ in ranked])
            ranked = [(chunk, score + extra.get(chunk, 0.0)) for chunk, score in ranked]
            ranked.sort(key=lambda item: (-item[1], item[0]))
        return ranked[:limit]

    def score(
        self,
        chunks: Sequence[int],
        query: AnalysedQuery,
        *,
        collections: Sequence[Collection],
        statistics: CorpusStatistics,
        condition: Condition,
        limit: int,
    ) -> list[tuple[int, float]]:
        """As `retrieve`, of these chunks alone."""
        sql, parameters = named(condition)
        arrays = _arrays(term_weights(query, statistics), collections)
        asked = {"chunks": list(chunks), "limit": limit}
        if statistics.packed:
            return score_packed(self._parameters(statistics) | arrays, condition, chunks, limit)
        rows = fetch(_AMONG.format(condition=sql), self._parameters(statistics) | arrays | parameters | asked)
        return [(chunk, score) for chunk, score in rows if score > 0]

    def _split(self, weights: dict[int, TermWeight]) -> tuple[dict[int, TermWeight], dict[int, TermWeight]]:
        """Terms to scan, rarest first while the postings last (one at least), and terms to look up."""
        scanned: dict[int, TermWeight] = {}
        left = self._settings.max_postings
        for term, weight in sorted(weights.items(), key=lambda item: item[1].postings):
            if scanned and weight.postings > left:
                break
            scanned[term] = weight
            left -= weight.postings
        return scanned, {term: weight for term, weight in weights.items() if term not in scanned}

    def _parameters(self, statistics: CorpusStatistics) -> dict[str, Any]:
        return {
            "a": self._settings.k1 * (1 - self._settings.b),
            "s": self._settings.k1 * self._settings.b / (statistics.mean_length or 1.0),
        }

    def _search(
        self, values: dict[str, Any], condition: Condition, limit: int, postings: int
    ) -> list[tuple[int, float]]:
        """The best `limit` chunks that meet the condition; all are scored where too few of the best meet it."""
        sql, parameters = named(condition)
        values = values | parameters
        pool = _POOL_FACTOR * limit
        rows = fetch(_SEARCH.format(condition=sql), values | {"limit": limit, "pool": pool})
        if len(rows) < limit and postings > pool:
            rows = fetch(_SEARCH.format(condition=sql), values | {"limit": limit, "pool": None})
        return [(chunk, score) for chunk, score in rows if score > 0]

    def _look_up(self, values: dict[str, Any], chunks: list[int]) -> dict[int, float]:
        return dict(fetch(_LOOK_UP, values | {"chunks": chunks}))


def term_weights(query: AnalysedQuery, statistics: CorpusStatistics) -> dict[int, TermWeight]:
    """By key of the index's term. Readings of one word share its idf, so that a rare twin does not outweigh it."""
    weights: dict[int, TermWeight] = {}
    for word in query.terms:
        lemma_idf, form_idf = statistics.idf(word.lemma_chunks), statistics.idf(word.form_chunks)
        for reading in word.readings:
            if reading.lemma_term and reading.lemma_chunks:
                _add(weights, reading.lemma_term, lemma_idf, 0.0, reading.lemma_chunks)
            if reading.form_term and reading.form_chunks:
                _add(weights, reading.form_term, 0.0, form_idf, reading.form_chunks)
    for alternative in query.alternatives:  # is as rare as it is itself; phrases are searched by `alternatives`
        if len(alternative.terms) == 1 and (term := alternative.terms[0]).lemma_chunks:
            _add(weights, term, alternative.weight * statistics.idf(term.lemma_chunks), 0.0, term.lemma_chunks)
    return weights


def _quoted(query: AnalysedQuery, condition: Condition) -> set[int]:
    """The keys of the words of phrases that the condition asks for, without numbers, which may be written otherwise."""
    quoted = {form for phrase in query.phrases for form in phrase if form.isalpha()} if condition.of_text else set()
    readings = (reading for term in query.terms for reading in term.readings)
    return {reading.form_term.id for reading in readings if reading.form_term and reading.form in quoted}


def _add(
    weights: dict[int, TermWeight], term: VocabularyTerm, lemma_idf: float, form_idf: float, postings: int
) -> None:
    """A term that two words of the question share counts once."""
    had = weights.get(term.id, TermWeight(lemma_idf=0.0, form_idf=0.0, postings=0))
    weights[term.id] = TermWeight(
        lemma_idf=had.lemma_idf or lemma_idf,
        form_idf=had.form_idf or form_idf,
        postings=max(had.postings, postings),
        guarded=may_be_hidden(term.text),
    )


def _postings(terms: dict[int, TermWeight]) -> int:
    return sum(weight.postings for weight in terms.values())


def _arrays(terms: dict[int, TermWeight], collections: Sequence[Collection]) -> dict[str, Any]:
    """Each term in each collection, with what an occurrence as lemma and as form may add at most."""
    pairs = [
        (term, weight, collection)
        for term, weight in terms.items()
        for collection in collections
        if not (weight.guarded and collection.mask_personal_data)
    ]
    return {
        "terms": [term for term, _, _ in pairs],
        "collections": [collection.pk for _, _, collection in pairs],
        "lemma": [collection.lemma_weight * weight.lemma_idf for _, weight, collection in pairs],
        "form": [collection.form_weight * weight.form_idf for _, weight, collection in pairs],
    }
