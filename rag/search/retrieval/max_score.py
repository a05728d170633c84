"""The best chunks of weighted posting lists, without scoring every posting: MaxScore (Turtle and Flood 1995) by numpy.

Lists are added up, those first that can add most to a chunk. Once so many chunks as are wanted have more than all
further lists together could give, no other chunk gets among the best: of the further lists, which are the longest, only
the postings of chunks are scored that still may. Scores are exact, and so is who is left out.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingestion.text.index_format.posting_lists import Postings

_FEW = 60_000  # postings; so many are scored at once in less time than it takes to leave some out
_COMPARED = 5_000  # chunks whose scores set the bar; of more it would be little higher, and take longer to find
_SPAN = 4_000_000  # keys between which sums are kept by place; farther apart, the keys are numbered anew
_DIGITS = 1e-9  # that sums may differ by, according to their order

Chunks = NDArray[np.int64]
Scores = NDArray[np.float64]
Places = NDArray[np.intp]


class ScoredChunks(NamedTuple):
    """Chunks, each once, with their scores."""

    chunks: Chunks
    scores: Scores

    def best(self, limit: int) -> "ScoredChunks":
        """At most `limit`, best first; of equals the lower key."""
        found = self
        if limit < len(self.scores):
            enough = self.scores >= np.partition(self.scores, -limit)[-limit]
            found = ScoredChunks(self.chunks[enough], self.scores[enough])
        order = np.lexsort((found.chunks, -found.scores))[:limit]
        return ScoredChunks(found.chunks[order], found.scores[order])


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedList:
    """A term's postings, and what an occurrence as `lemma` and one as `form` may add at most.

    `quoted`: a chunk must have the term as a form.
    """

    postings: Postings
    lemma: float
    form: float
    quoted: bool = False

    @property
    def most(self) -> float:
        """What the list may add to a chunk."""
        return self.lemma + self.form


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredRows:
    """What postings that are in no list add up to, by chunk; `quoted`: how many quoted terms are among them."""

    chunks: Chunks
    scores: Scores
    quoted: NDArray[np.int16]


@dataclass(frozen=True, slots=True, kw_only=True)
class MaxScore:
    """A question: the lists and rows of its terms, and BM25's constants, the part of the norm that is the same for all
    chunks (`constant`) and the one that grows `by_word`. Of chunks that are `late`, lists are wrong and rows complete.
    """

    lists: Sequence[WeightedList]
    rows: ScoredRows
    constant: float
    by_word: float
    late: Collection[int] = ()
    quoted: int = 0

    def best(self, limit: int) -> ScoredChunks:
        """At most `limit` chunks that score above 0 and have as many quoted terms as are `quoted`, best first."""
        sums = _Sums(self)
        lists = sorted(self.lists, key=lambda one: -one.most)
        if self.quoted:
            return sums.among(sums.quoting(), lists).best(limit)
        if sum(len(one.postings.chunks) for one in lists) <= _FEW:
            return sums.of_all(lists).best(limit)
        further = list(accumulate((one.most for one in reversed(lists)), initial=0.0))[-2::-1]
        least = 0.0  # that the wanted chunks have by now
        for done, (one, rest) in enumerate(zip(lists, further, strict=True), start=1):
            sums.add(one, least - rest)
            least = sums.least(limit)
            if least > rest:
                return sums.among(sums.above(least - rest), lists[done:]).best(limit)
        return sums.among(sums.above(0.0), ()).best(limit)

    def of(self, chunks: Sequence[int] | NDArray[np.int32]) -> ScoredChunks:
        """Those of `chunks` that score above 0."""
        wanted = np.unique(np.array(chunks, np.int64))
        if not len(wanted):
            return ScoredChunks(wanted, np.zeros(0))
        found = _Sums(self, wanted).among_chunks(wanted, self.lists)
        asked = wanted[np.minimum(np.searchsorted(wanted, found.chunks), len(wanted) - 1)] == found.chunks
        return ScoredChunks(found.chunks[asked], found.scores[asked])


class _Sums:
    """Scores by place, and the places that may be among the best (`touched`), each once. There is one for each of
    `chunks` as well.
    """

    def __init__(self, asked: MaxScore, chunks: Chunks | None = None) -> None:
        self._asked = asked
        late = np.isin(asked.rows.chunks, list(asked.late))
        self._late = ScoredChunks(asked.rows.chunks[late], asked.rows.scores[late])
        self._late_quoted = asked.rows.quoted[late]
        keys = [asked.rows.chunks, *(one.postings.chunks for one in asked.lists), np.fromiter(asked.late, np.int64)]
        self._numbering = _Numbering(keys if chunks is None else [chunks, *keys])
        self._sums = np.zeros(self._numbering.size)
        self._sums[self._numbering.places(keys[-1])] = -np.inf  # whatever lists add
        self._first = self._numbering.places(asked.rows.chunks[~late])
        self._first_quoted = asked.rows.quoted[~late]
        self._sums[self._first] = asked.rows.scores[~late]
        self._touched = self._first

    def add(self, one: WeightedList, bar: float) -> None:
        """Add a list's scores; a chunk that is new with less than `bar` cannot get among the best."""
        places, scores = self._scored(one, None)
        before = self._sums[places]
        self._sums[places] = before + scores
        self._touched = np.concatenate([self._touched, places[(before == 0) & (scores >= bar - _DIGITS)]])

    def of_all(self, lists: Sequence[WeightedList]) -> ScoredChunks:
        """Every chunk, with what all lists add."""
        if lists:
            postings = Postings(*map(np.concatenate, zip(*(one.postings for one in lists), strict=True)))
            sizes = [len(one.postings.chunks) for one in lists]
            lemma, form = (
                np.repeat(weights, sizes) for weights in zip(*((o.lemma, o.form) for o in lists), strict=True)
            )
            places = self._numbering.places(postings.chunks)
            self._sums += np.bincount(places, self._added(postings, lemma, form), len(self._sums))
        return self.among(np.flatnonzero(self._sums > 0), ())

    def least(self, limit: int) -> float:
        """What `limit` chunks have at least; 0 where fewer are known."""
        known = self._sums[self._touched[: max(_COMPARED, limit)]]
        return float(np.partition(known, -limit)[-limit]) if len(known) >= limit else 0.0

    def above(self, bar: float) -> Places:
        """The places that reach `bar`."""
        found: Places = self._touched[self._sums[self._touched] >= bar - _DIGITS]
        return found

    def quoting(self) -> Places:
        """The places of chunks that have all quoted terms as forms."""
        counts = np.zeros(self._numbering.size, np.int16)
        counts[self._first] = self._first_quoted
        for one in self._asked.lists:
            if one.quoted:
                counts[self._numbering.places(one.postings.chunks[one.postings.forms > 0])] += 1
        return np.flatnonzero(counts == self._asked.quoted)

    def among(self, places: Places, lists: Iterable[WeightedList]) -> ScoredChunks:
        """These chunks, and late ones, with what `lists` add."""
        wanted = np.zeros(self._numbering.size, bool)
        wanted[places] = True
        for one in lists:
            at, scores = self._scored(one, wanted)
            self._sums[at] += scores
        found = places[self._sums[places] > 0]
        late = self._late_quoted >= self._asked.quoted
        return ScoredChunks(
            np.concatenate([self._numbering.keys(found), self._late.chunks[late]]),
            np.concatenate([self._sums[found], self._late.scores[late]]),
        )

    def among_chunks(self, chunks: Chunks, lists: Iterable[WeightedList]) -> ScoredChunks:
        return self.among(self._numbering.places(chunks), lists)

    def _scored(self, one: WeightedList, wanted: NDArray[np.bool_] | None) -> tuple[Places, Scores]:
        """The places and scores of postings that add something, of `wanted` places alone where they are given."""
        places, postings = self._numbering.places(one.postings.chunks), one.postings
        if wanted is not None:
            places, postings = _kept(places, postings, wanted[places])
        if not (one.lemma and one.form):
            places, postings = _kept(places, postings, (postings.lemmas if one.lemma else postings.forms) > 0)
        return places, self._added(postings, one.lemma, one.form)

    def _added(self, postings: Postings, lemma: float | Scores, form: float | Scores) -> Scores:
        """What each posting adds, whose occurrences add at most `lemma` and `form`."""
        norm = self._asked.constant + self._asked.by_word * postings.lengths
        added: Scores = lemma * (postings.lemmas / (postings.lemmas + norm))
        added += form * (postings.forms / (postings.forms + norm))
        return added


def _kept(places: Places, postings: Postings, marks: NDArray[np.bool_]) -> tuple[Places, Postings]:
    kept = np.flatnonzero(marks)
    return places[kept], Postings(*(row[kept] for row in postings))


class _Numbering:
    """Places for keys: from the lowest on, or the numbers of those that there are, where they lie far apart."""

    def __init__(self, keys: Sequence[NDArray[Any]]) -> None:
        some = [one for one in keys if len(one)]
        first = min((int(one.min()) for one in some), default=0)
        last = max((int(one.max()) for one in some), default=0)
        self._first = first
        self._known = np.unique(np.concatenate(some)) if last - first >= _SPAN else None
        self.size = last - first + 1 if self._known is None else len(self._known)

    def places(self, keys: NDArray[Any]) -> Places:
        if self._known is not None:
            return np.searchsorted(self._known, keys)
        return keys.astype(np.intp) - self._first

    def keys(self, places: Places) -> Chunks:
        return places + self._first if self._known is None else self._known[places].astype(np.int64)
