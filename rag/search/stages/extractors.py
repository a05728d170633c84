"""Two texts of one document in one ranking: what both say is shown once, what only one says is not lost."""

import re
from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import ngettext

from rag.search.context import SearchContext
from rag.search.retrieval.fusion import reciprocal_rank
from rag.types import Passage

_COVERED = 0.95  # of the words; chunks of two texts seldom begin and end at the same word
_WORD = re.compile(r"[^\W_]+")


class SecondTexts:
    """Reciprocal rank fusion of the documents' own texts with the second ones, weighted by `preset.second_weight`.

    A passage of a second text that the document's own passages cover goes under the likest of them. Where no second
    text was found, nothing changes.
    """

    name = "extractors"

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        if not any(passage.second for passage in passages):
            return list(passages)
        fused, merged = fused_texts(passages, weight=search.preset.second_weight)
        said = ngettext(
            "Passages of two readings of the same file were joined; %(n)d said the same.",
            "Passages of two readings of the same file were joined; %(n)d said the same.",
            merged,
        )
        search.note(self.name, said % {"n": merged}, applied=True)
        return fused


def fused_texts(passages: Sequence[Passage], *, weight: float) -> tuple[list[Passage], int]:
    """`passages` (best first) anew in order, and how many went under another; `weight` of second texts in [0, 1]."""
    own = [passage for passage in passages if not passage.second]
    second = [passage for passage in passages if passage.second]
    scores = {passage.chunk_id: reciprocal_rank(rank, 1 - weight) for rank, passage in enumerate(own, start=1)}
    under: dict[int, tuple[int, ...]] = {}
    for rank, passage in enumerate(second, start=1):
        twin = _twin(passage, own)
        place = twin.chunk_id if twin else passage.chunk_id
        scores[place] = scores.get(place, 0.0) + reciprocal_rank(rank, weight)
        if twin:
            under[place] = (*under.get(place, ()), passage.chunk_id)
    hidden = {chunk for chunks in under.values() for chunk in chunks}
    kept = [_standing_for(passage, under) for passage in passages if passage.chunk_id not in hidden]
    return sorted(kept, key=lambda passage: -scores[passage.chunk_id]), len(hidden)


def _twin(passage: Passage, own: Sequence[Passage]) -> Passage | None:
    """The passage of the document's own text that shares most, where its passages cover all that matters of this."""
    rivals = [(_words(other), other) for other in own if other.document_id == passage.document_id]
    words = _words(passage)
    common = words & frozenset().union(*(theirs for theirs, _ in rivals))
    numbers = {word for word in words if not word.isalpha()}
    if not rivals or len(common) < _COVERED * len(words) or not numbers <= common:
        return None
    return max(rivals, key=lambda rival: len(rival[0] & words))[1]


def _words(passage: Passage) -> frozenset[str]:
    return frozenset(_WORD.findall(passage.text.lower()))


def _standing_for(passage: Passage, under: dict[int, tuple[int, ...]]) -> Passage:
    alike = under.get(passage.chunk_id, ())
    if not alike:
        return passage
    return replace(passage, explanation=replace(passage.explanation, alike=(*passage.explanation.alike, *alike)))
