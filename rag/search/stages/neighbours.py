"""Parent expansion: a passage is found small and read with the chunks around it (small-to-big retrieval)."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rag.search.context import SearchContext
from rag.search.surroundings import Neighbour, Surroundings, load_surroundings
from rag.types import Passage

LONGEST = 4_000
"""Characters of an extended passage, about two full chunks: half of what the smallest prompt holds."""


class Neighbours:
    """Extends each passage by up to `preset.neighbours` chunks on either side, the better passage first.

    A chunk is shown once: a passage that a better one has swallowed is not shown again. The text stays a piece of the
    document, so that offsets, lines and links stay exact.
    """

    name = "neighbours"

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        reach = search.preset.neighbours
        if not reach or not passages:
            return list(passages)
        if search.query.excluded:  # a neighbour may have the very word
            search.note(self.name, _("A word is excluded, so passages are shown as they were found."), applied=False)
            return list(passages)
        around = load_surroundings([passage.chunk_id for passage in passages], reach=reach)
        extended = list(_each_chunk_once(passages, around))
        added = sum(len(passage.explanation.neighbours) for passage in extended)
        said = ngettext("%(n)d neighbouring chunk was added.", "%(n)d neighbouring chunks were added.", added)
        search.note(self.name, said % {"n": added}, applied=bool(added))
        return extended


def _each_chunk_once(passages: Sequence[Passage], around: Mapping[int, Surroundings]) -> Iterator[Passage]:
    """The passages, extended; one that a better one has swallowed lends it its relevance and is gone."""
    relevance = {passage.chunk_id: passage.relevance for passage in passages}
    shown: set[int] = set()
    for passage in passages:
        if passage.chunk_id in shown:
            continue
        surroundings = around.get(passage.chunk_id)
        chunks = _grown(surroundings, shown) if surroundings else []
        if surroundings and len(chunks) > 1:
            passage = _joined(passage, chunks, surroundings)
        members = {passage.chunk_id, *passage.explanation.neighbours}
        shown |= members
        yield replace(passage, relevance=max(relevance.get(member, 0.0) for member in members))


def _grown(around: Surroundings, shown: Container[int]) -> list[Neighbour]:
    """The found chunk with its neighbours, in the document's order; on each side up to the first that does not fit."""
    own = around.chunks[around.found]
    run = [own]
    after, before = list(around.chunks[around.found + 1 :]), list(reversed(around.chunks[: around.found]))
    while after or before:
        for side in (after, before):
            longer = [*run, *side[:1]] if side is after else [*side[:1], *run]
            if side and _belongs(side[0], own, shown) and _is_passage(longer, around):
                run = longer
                side.pop(0)
            else:
                side.clear()
    return run


def _belongs(chunk: Neighbour, own: Neighbour, shown: Container[int]) -> bool:
    """Whether it stands under the heading above the passage's own, and nowhere else in the result."""
    parent = own.place.heading_path[:-1]
    return chunk.place.chunk_id not in shown and chunk.place.heading_path[: len(parent)] == parent


def _is_passage(chunks: Sequence[Neighbour], around: Surroundings) -> bool:
    begin, end = _span(chunks)
    return end - begin <= LONGEST and all(map(around.is_true, chunks)) and around.is_whole(chunks)


def _span(chunks: Sequence[Neighbour]) -> tuple[int, int]:
    return chunks[0].place.start, max(chunk.place.end for chunk in chunks)


def _joined(passage: Passage, chunks: Sequence[Neighbour], around: Surroundings) -> Passage:
    """The passage with the text of all `chunks`."""
    start, end = _span(chunks)
    first, last = chunks[0], chunks[-1]
    added = tuple(chunk.place.chunk_id for chunk in chunks if chunk.place.chunk_id != passage.chunk_id)
    return replace(
        passage,
        text=around.between(start, end),
        start=start,
        end=end,
        line_start=first.line_start,
        line_end=max(chunk.line_end for chunk in chunks),
        page_start=first.place.page_start,
        page_end=last.place.page_end,
        heading_path=_common([chunk.place.heading_path for chunk in chunks]),
        context_before=first.context_before,
        context_after=last.context_after,
        places=tuple(chunk.place for chunk in chunks),
        explanation=replace(passage.explanation, neighbours=added),
    )


def _common(paths: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """The headings that stand above all."""
    shared = []
    for level in zip(*paths, strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0])
    return tuple(shared)
