"""The passages of several searches as one list."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain, zip_longest

from rag.question import Evidence
from rag.search.retrieval.fusion import reciprocal_rank
from rag.types import Passage, Quality, SearchResult, Tokens

_WORST_FIRST: tuple[Quality, ...] = ("LOW", "MEDIUM", "HIGH")


def merged(parts: Sequence[Evidence], *, limit: int) -> Evidence:
    """By reciprocal ranks: what several searches found comes before what one did, else they take turns. Each passage
    once, with its greatest relevance: relevances of differently worded questions put into one order would favour the
    wording that shares most words with its passages.

    As good as the worst of the parts: an answer to half of a question is no good answer.
    """
    results = [part.result for part in parts]
    qualities = [result.quality for result in results if result.quality]
    usage: dict[str, Tokens] = defaultdict(Tokens)
    for step, tokens in chain.from_iterable(result.usage.items() for result in results):
        usage[step] += tokens
    return Evidence(
        result=SearchResult(
            passages=tuple(_fused([result.passages for result in results])[:limit]),
            corrections=tuple(dict.fromkeys(chain.from_iterable(result.corrections for result in results))),
            quality=min(qualities, key=_WORST_FIRST.index, default=""),
            chunks_total=max((result.chunks_total for result in results), default=0),
            latency=_added([result.latency for result in results]),
            usage=dict(usage),
            trace=tuple(chain.from_iterable(result.trace for result in results)),
        ),
        corrected=any(part.corrected for part in parts),
        reworded=all(part.reworded for part in parts),
        web_fallback=any(part.web_fallback for part in parts),
        cut_short=any(part.cut_short for part in parts),
    )


def _fused(rankings: Sequence[Sequence[Passage]]) -> list[Passage]:
    found: dict[tuple[str, int], Passage] = {}
    scores: dict[tuple[str, int], float] = defaultdict(float)
    for rank, turn in enumerate(zip_longest(*rankings), start=1):
        for passage in filter(None, turn):
            place = passage.uri, passage.chunk_id or passage.start
            scores[place] += reciprocal_rank(rank)
            found[place] = max(found.get(place, passage), passage, key=_worth)
    return [found[place] for place in sorted(found, key=lambda place: -scores[place])]


def _worth(passage: Passage) -> tuple[float, int]:
    """Of two readings of one place the more relevant one, then the longer one."""
    return passage.relevance, len(passage.text)


def _added(searches: Sequence[Mapping[str, float]]) -> dict[str, float]:
    total: dict[str, float] = defaultdict(float)
    for name, milliseconds in chain.from_iterable(laps.items() for laps in searches):
        total[name] += milliseconds
    return dict(total)
