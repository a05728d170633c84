"""The passages of several searches as one list."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain, zip_longest

from rag.question import Evidence
from rag.types import Passage, Quality, SearchResult, Tokens

_WORST_FIRST: tuple[Quality, ...] = ("LOW", "MEDIUM", "HIGH")


def merged(parts: Sequence[Evidence], *, limit: int) -> Evidence:
    """In turns: the best of each search, then the second best. Each passage once, with its greatest relevance.

    As good as the worst of the parts: an answer to half of a question is no good answer.
    """
    results = [part.result for part in parts]
    qualities = [result.quality for result in results if result.quality]
    usage: dict[str, Tokens] = defaultdict(Tokens)
    for step, tokens in chain.from_iterable(result.usage.items() for result in results):
        usage[step] += tokens
    return Evidence(
        result=SearchResult(
            passages=tuple(_in_turns([result.passages for result in results])[:limit]),
            corrections=tuple(dict.fromkeys(chain.from_iterable(result.corrections for result in results))),
            quality=min(qualities, key=_WORST_FIRST.index, default=""),
            chunks_total=max((result.chunks_total for result in results), default=0),
            latency=_added([result.latency for result in results]),
            usage=dict(usage),
            trace=tuple(chain.from_iterable(result.trace for result in results)),
        ),
        corrected=any(part.corrected for part in parts),
        web_fallback=any(part.web_fallback for part in parts),
        cut_short=any(part.cut_short for part in parts),
    )


def _in_turns(rankings: Sequence[Sequence[Passage]]) -> list[Passage]:
    found: dict[tuple[str, int], Passage] = {}
    for passage in filter(None, chain.from_iterable(zip_longest(*rankings))):
        place = passage.uri, passage.chunk_id or passage.start
        known = found.get(place)
        if known is None or _worth(known) < _worth(passage):
            found[place] = passage
    return list(found.values())


def _worth(passage: Passage) -> tuple[float, int]:
    """Of two readings of one place the more relevant one, then the longer one."""
    return passage.relevance, len(passage.text)


def _added(searches: Sequence[Mapping[str, float]]) -> dict[str, float]:
    total: dict[str, float] = defaultdict(float)
    for name, milliseconds in chain.from_iterable(laps.items() for laps in searches):
        total[name] += milliseconds
    return dict(total)
