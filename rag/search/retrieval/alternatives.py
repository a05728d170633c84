"""Chunks that hold all words of a phrase which editors want searched beside the question."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import accumulate

import numpy as np

from ingestion.models import Collection
from ingestion.selectors.postings import postings_of
from ingestion.text.index_format.posting_lists import Postings
from knowledgetree.conf import LexicalSettings
from knowledgetree.postgres.prepared_statements import fetch
from rag.search.query.terms import Alternative
from rag.search.retrieval.filters import Condition, named
from rag.search.retrieval.lexical import CorpusStatistics
from rag.search.retrieval.max_score import ScoredChunks

_MOST_POSTINGS = 50_000  # some ten milliseconds

_PASSING = """
SELECT c.id FROM ingestion_chunk c JOIN ingestion_document d ON d.id = c.document_id
WHERE c.id = ANY(%(chunks)s) AND {condition}
"""


def phrase_scores(
    alternatives: Sequence[Alternative],
    *,
    collections: Sequence[Collection],
    statistics: CorpusStatistics,
    condition: Condition,
    settings: LexicalSettings,
    limit: int,
) -> dict[int, float]:
    """By chunk, what the phrases add to its lexical score: weight times the score of the phrase's weakest word.

    Of several phrases for the same typed words the best counts. Rare ones are looked for first, while postings last.
    """
    phrases = _affordable(alternatives)
    if not phrases:
        return {}
    keys = [collection.pk for collection in collections]
    postings = postings_of(list({term.id for phrase in phrases for term in phrase.terms}), keys)
    scored = [_scored(phrase, postings, statistics, settings) for phrase in phrases]
    best = ScoredChunks(*map(np.concatenate, zip(*scored, strict=True))).best(limit * len(phrases))
    least = best.scores[-1] if len(best.scores) else 0.0
    sql, parameters = named(condition)
    passing = {row[0] for row in fetch(_PASSING.format(condition=sql), {"chunks": best.chunks.tolist()} | parameters)}
    return _added(phrases, scored, passing, least)


def _scored(
    phrase: Alternative, postings: Mapping[int, Postings], statistics: CorpusStatistics, settings: LexicalSettings
) -> ScoredChunks:
    """The chunks with all words of the phrase. It is worth what its least is: one frequent word does not make it."""
    constant = settings.k1 * (1 - settings.b)
    by_word = settings.k1 * settings.b / (statistics.mean_length or 1.0)
    found: ScoredChunks | None = None
    for term in phrase.terms:
        its = postings[term.id].kept(postings[term.id].lemmas > 0)
        idf = statistics.idf(term.lemma_chunks)
        word = ScoredChunks(
            its.chunks.astype(np.int64), idf * its.lemmas / (its.lemmas + constant + by_word * its.lengths)
        )
        found = word if found is None else _least_of_both(found, word)
    return found or ScoredChunks(np.zeros(0, np.int64), np.zeros(0))


def _least_of_both(one: ScoredChunks, other: ScoredChunks) -> ScoredChunks:
    chunks, in_one, in_other = np.intersect1d(one.chunks, other.chunks, assume_unique=True, return_indices=True)
    return ScoredChunks(chunks, np.minimum(one.scores[in_one], other.scores[in_other]))


def _added(
    phrases: Sequence[Alternative], scored: Sequence[ScoredChunks], passing: set[int], least: float
) -> dict[int, float]:
    """By chunk that passes. Of several phrases for the same typed words the best counts."""
    best: dict[tuple[int, tuple[int, ...]], float] = defaultdict(float)
    for phrase, found in zip(phrases, scored, strict=True):
        enough = found.scores >= least
        for chunk, score in zip(found.chunks[enough].tolist(), found.scores[enough].tolist(), strict=True):
            if chunk in passing:
                best[chunk, phrase.stands_for] = max(best[chunk, phrase.stands_for], phrase.weight * score)
    scores: dict[int, float] = defaultdict(float)
    for (chunk, _typed), score in best.items():
        scores[chunk] += score
    return scores


def _affordable(alternatives: Sequence[Alternative]) -> list[Alternative]:
    """The phrases, those with the fewest postings first; one at least."""
    phrases = sorted((one for one in alternatives if len(one.terms) > 1), key=_postings)
    spent = accumulate(map(_postings, phrases))
    return [phrase for phrase, postings in zip(phrases, spent, strict=True) if postings <= _MOST_POSTINGS] or phrases[
        :1
    ]


def _postings(alternative: Alternative) -> int:
    return sum(term.lemma_chunks for term in alternative.terms)
