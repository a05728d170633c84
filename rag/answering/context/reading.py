"""The passages that a model reads, made of those that were found: whole sections instead of cut chunks."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ingestion.models import Collection
from rag.answering.context.layout import Span
from rag.answering.context.runs import Run, runs_around
from rag.search.masking import covered
from rag.types import Passage

SECTION = 8_000
"""Characters of a section, or of a whole small document, that is read for one passage."""
BEST = 6
"""Passages that are read however little their words have in common with the question's."""
FILLER = 0.1
"""One of the others that is less relevant than this share of the most relevant one is left out."""
LEADING = 3
"""Passages whose sections are read before the rest gets what room is left."""
_SHORTEST_SHARE = 0.6
_AROUND_TEXT = 200  # characters of a prompt that tell of a piece where it is from

Text = tuple[int, str]
"""A document as one extractor read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """What is read for `passage`: characters `span` of its document's text, in `run`; its own text where that is None.

    `choices` are the spans that could be read, the shortest first; `rank` counts from 0.
    """

    rank: int
    passage: Passage
    run: Run | None
    span: Span
    choices: Sequence[Span]

    @property
    def text(self) -> Text:
        return self.passage.document_id, self.passage.extractor

    def read(self) -> Passage:
        if self.run is None:
            return replace(self.passage, context_before="", context_after="")
        return self.run.cut(self.passage, self.span)


def read_around(
    passages: Sequence[Passage], *, collections: Sequence[Collection], characters: int, grown: bool = True
) -> list[Passage]:
    """Pieces of documents with what was found in them, of at most `characters` together, the first one in any case.

    Whole paragraphs, lists and tables under their headings for every passage that fits, the best first, and as long as
    there is room the sections that these are in and whole small documents. Documents come in the order of their best
    passages, the pieces of each in its own order and without overlap. What an editor changed stands alone,
    what was switched off is not read. Unless `grown` the passages are read as they were found. Personal data are
    covered as `collections` say.
    """
    chosen = _without_filler(passages)
    runs = _shared_runs(chosen) if grown else {}
    excerpts = [_excerpt(rank, passage, runs.get(passage.chunk_id)) for rank, passage in enumerate(chosen)]
    return covered([excerpt.read() for excerpt in _in_order(_within(excerpts, characters))], collections)


def _without_filler(passages: Sequence[Passage]) -> list[Passage]:
    least = FILLER * max((passage.relevance for passage in passages), default=0.0)
    return [*passages[:BEST], *(passage for passage in passages[BEST:] if passage.relevance >= least)]


def _shared_runs(passages: Sequence[Passage]) -> dict[int, Run]:
    """By chunk. Passages of one text share a run that holds them: reading its structure takes the time."""
    around = runs_around(passages)
    known: dict[tuple[int, str], list[Run]] = defaultdict(list)
    for passage in passages:
        if own := around.get(passage.chunk_id):
            runs = known[passage.document_id, passage.extractor]
            shared = next((run for run in runs if run.holds((passage.start, passage.end))), None)
            if shared is None:
                runs.append(own)
            around[passage.chunk_id] = shared or own
    return around


def _excerpt(rank: int, passage: Passage, run: Run | None) -> Excerpt:
    own = passage.start, passage.end
    run = run if run and run.holds(own) else None
    choices = run.spans(*own) if run else [own]
    return Excerpt(rank=rank, passage=passage, run=run, span=choices[0], choices=choices)


def _within(excerpts: Sequence[Excerpt], characters: int) -> list[Excerpt]:
    """The shortest spans first, in a share of the room; then the sections of the leading ones; then all the rest."""
    begun = _fitting([], excerpts, int(characters * _SHORTEST_SHARE))
    leading = _grown(begun, characters, most=LEADING)
    left = [excerpt for excerpt in excerpts if excerpt.rank not in {one.rank for one in leading}]
    return _grown(_fitting(leading, left, characters), characters)


def _fitting(begun: Sequence[Excerpt], others: Sequence[Excerpt], characters: int) -> list[Excerpt]:
    """`begun` with those of `others` whose shortest spans fit, the very first in any case."""
    fitting = list(begun)
    for excerpt in others:
        if not fitting or _length([*fitting, excerpt]) <= characters:
            fitting.append(excerpt)
    return fitting


def _grown(excerpts: Sequence[Excerpt], characters: int, *, most: int | None = None) -> list[Excerpt]:
    """The first `most` with the longest span that leaves room for all others as they are."""
    grown = list(excerpts)
    for place, excerpt in enumerate(excerpts[:most]):
        for span in reversed(excerpt.choices):
            longer = [*grown[:place], replace(excerpt, span=span), *grown[place + 1 :]]
            if span[1] - span[0] <= SECTION and _length(longer) <= characters:
                grown = longer
                break
    return grown


def _length(excerpts: Iterable[Excerpt]) -> int:
    return sum(
        _AROUND_TEXT + (one.span[1] - one.span[0] if one.run else len(one.passage.text)) for one in _joined(excerpts)
    )


def _in_order(excerpts: Sequence[Excerpt]) -> list[Excerpt]:
    joined = list(_joined(excerpts))
    best: dict[int, int] = {}
    for excerpt in sorted(joined, key=lambda one: one.rank):
        best.setdefault(excerpt.passage.document_id, excerpt.rank)
    return sorted(joined, key=lambda one: (best[one.passage.document_id], one.text, one.span))


def _joined(excerpts: Iterable[Excerpt]) -> Iterator[Excerpt]:
    """Pieces of one text that overlap or touch as one, under the better one's passage."""
    by_text: Mapping[Text, list[Excerpt]] = defaultdict(list)
    for excerpt in excerpts:
        by_text[excerpt.text].append(excerpt)
    for (document, _), pieces in by_text.items():
        if not document:  # pages of the web have no common text
            yield from pieces
            continue
        current, *rest = sorted(pieces, key=lambda one: one.span)
        for following in rest:
            both = _both(current, following)
            if both is None:
                yield current
            current = both or _behind(current, following)
        yield current


def _both(one: Excerpt, other: Excerpt) -> Excerpt | None:
    """`one` and `other`, which does not begin before it, as one piece; None where text stands between them."""
    if one.run is None or other.run is None:
        return None
    span = one.span[0], max(one.span[1], other.span[1])
    run = next((run for run in (one.run, other.run) if run.holds(span)), None)
    if run is None or run.text[one.span[1] - run.start : max(other.span[0], one.span[1]) - run.start].strip():
        return None
    return replace(min(one, other, key=lambda excerpt: excerpt.rank), run=run, span=span)


def _behind(one: Excerpt, other: Excerpt) -> Excerpt:
    """`other` without what `one` has of it already."""
    if one.run is None or other.run is None or other.span[0] >= one.span[1]:
        return other
    return replace(other, span=(one.span[1], other.span[1]))
