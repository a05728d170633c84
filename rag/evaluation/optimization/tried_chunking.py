"""Other ways to split the documents: each is tried in copies of them, beside what serves."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from ingestion.models import Document
from rag.evaluation.datasets.dataset_storage import stored_questions
from rag.evaluation.datasets.questions import LabelledQuestion
from rag.evaluation.optimization.copies import (
    chunking_in_force,
    chunking_trials,
    chunking_with,
    collections_asked,
    copies_for,
    remove_copies,
)
from rag.evaluation.optimization.objective import Objective, Progress
from rag.evaluation.optimization.tried_parts import PartRange, Values
from rag.evaluation.optimization.variations import OutOfTime
from rag.models import Optimization

MOST_CHARACTERS = 5_000_000
"""Of the texts that are split on trial, some ten thousand chunks: of more documents the questions' own ones and others,
drawn, stand for all.
"""

_SIZES = (96, 1024)
_SIZE_STEP, _OVERLAP_STEP, _MOST_OVERLAP = 32, 16, 128
_WORTH_A_TRY = (128, 256, 384, 768)


class TriedChunking:
    """A chunker, the size of its chunks and what neighbours share, in estimated tokens."""

    most: int = 16
    """Ways to split, beside the one in force: each costs as much as indexing the documents."""

    def __init__(self, optimization: Optimization) -> None:
        self._optimization, self._objective = optimization, Objective(optimization)
        _note_documents(optimization)
        self._before: Mapping[str, Any] = optimization.chunking
        self.current: Values = {name: self._before[name] for name in ("chunker", "chunk_size", "overlap")}
        chunkers = dict.fromkeys([*chunking_trials().chunkers(), self.current["chunker"]])
        self.ranges: Sequence[PartRange] = (
            PartRange(name="chunker", choices=tuple(chunkers)),
            PartRange(name="chunk_size", low=_SIZES[0], high=_SIZES[1], whole=True),
            PartRange(name="overlap", high=_MOST_OVERLAP, whole=True),
        )
        self.proposals: Sequence[Values] = [
            *({**self.current, "chunk_size": size} for size in _WORTH_A_TRY),
            *({**self.current, "chunker": chunker} for chunker in chunkers),
        ]

    def rounded(self, values: Values) -> dict[str, Any]:
        """In steps that could make a difference; neighbours share half a chunk at most."""
        size = self._stepped("chunk_size", values["chunk_size"], _SIZE_STEP)
        overlap = self._stepped("overlap", values["overlap"], _OVERLAP_STEP)
        return {**values, "chunk_size": size, "overlap": min(overlap, size // 2)}

    def scores(
        self, questions: Sequence[LabelledQuestion], values: Values, progress: Progress, goes_on: Callable[[], bool]
    ) -> dict[str, float]:
        copies = copies_for(self._optimization, self.found(values), goes_on)
        if copies is None:
            raise OutOfTime(
                _("The documents could not be split and embedded on trial within the limit of time."),
                remedy=_("Search for longer."),
            )
        return self._objective.scores(questions, {}, progress, copies)

    def keep(self, values: Values) -> None:
        remove_copies(self._optimization.pk, but=[self._before, self.found(values)])

    def close(self, values: Values) -> None:
        """The vectors of what was found are kept by their texts: to have it then costs no embedding."""
        remove_copies(self._optimization.pk, but=[self.found(values)])
        remove_copies(self._optimization.pk, vectors=True)

    def found(self, values: Values) -> dict[str, Any]:
        return chunking_with(self._before, values)

    def _stepped(self, name: str, value: int, step: int) -> int:
        now: int = self.current[name]
        return now if abs(value - now) < step / 2 else round(value / step) * step


def _note_documents(optimization: Optimization) -> None:
    """What is in force and which documents are tried, once for all trials, also of a search that goes on."""
    if optimization.chunking:
        return
    collections = collections_asked(optimization)
    optimization.chunking = dict(chunking_in_force(optimization))
    optimization.sample = chunking_trials().documents(
        collections, wanted=_expected_by(optimization), characters=MOST_CHARACTERS
    )
    there = Document.objects.readable().filter(collection__in=collections, chunk_count__gt=0)
    optimization.documents = there.count()
    if optimization.pk:
        optimization.save(update_fields=["chunking", "sample", "documents"])


def _expected_by(optimization: Optimization) -> Callable[[str], bool]:
    """Whether a question expects the document of this address, named as a whole or by its end."""
    named = {name for question in stored_questions(optimization.dataset) for name in question.expected_documents}

    def is_expected(uri: str) -> bool:
        places = (at for at, letter in enumerate(uri) if letter == "/")
        return uri in named or any(uri[at + 1 :] in named for at in places)

    return is_expected
