"""What the replaceable parts of ingestion promise."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from ingestion.types import ExtractedText, Progress, Span


class Extractor(Protocol):
    """Turns the bytes of one file into text with structure and pages."""

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        """The text of `content`, never empty; `name` is the file name, for its suffix and as a last-resort title.

        Raises a subclass of `ingestion.errors.ExtractionError`, and nothing else, for input it cannot read.
        """


class Chunker(Protocol):
    """Splits a text into spans in reading order."""

    def split(self, extracted: ExtractedText) -> Sequence[Span]:
        """Every non-space character lies in at least one span; starts never decrease; no span is blank."""


class Embedder(Protocol):
    """Texts as unit vectors. `name` identifies the model: equal names give equal vectors.

    `identity` are the options of the constructor that decide the vectors: a space keeps them, so that it goes on when
    the settings change. `template_version` is the version of `ingestion.embedding.template` that suits it; `fusion` is
    how its ranking is first joined with the lexical one (keys of `EmbeddingSpace.fusion`). `cacheable` says whether a
    vector is dearer than its look-up.
    """

    name: str
    identity: Mapping[str, Any]
    dimension: int
    template_version: int
    fusion: Mapping[str, str | float]
    cacheable: bool

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension), rows of Euclidean length 1."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Shape (dimension,), Euclidean length 1."""


class ActivationGate(Protocol):
    """Decides whether an embedding space, named by its key, may take the place of another; measures what serves now."""

    def known(self) -> Sequence[str]:
        """The names of the golden sets that can be measured."""

    def check(self, dataset: str, *, active: int, candidate: int, margin: float, progress: Progress) -> None:
        """Measure the golden set `dataset` in both; raises ActivationRefused, saying by how much it got worse."""

    def measure(self, dataset: str, *, progress: Progress) -> float:
        """The mean nDCG@10 of `dataset` in the active space; raises ActivationRefused where there is none."""

    def collection_of(self, dataset: str) -> int | None:
        """The key of the collection that `dataset` is measured in; None where it is not known."""


class BackgroundWork(Protocol):
    """What another app leaves to a worker, named by keys: the component `background`."""

    def enqueue(self, job: UUID) -> None:
        """Hand a job of that app to the worker once the current transaction is committed."""

    def group_documents(self, collection: int) -> None:
        """Have the groups of the collection's documents made, unless that waits or runs already."""


class OutsideJob(Protocol):
    """Background work of another app, under a kind of its own."""

    def run(self, job: UUID, progress: Progress) -> bool:
        """Do what the job of this key is for. False where nobody wants it any more.

        Run again after its worker was killed, it goes on or begins anew.
        `progress` is called with (done, total), often. Raises KnowledgeTreeError for what people can mend.
        """
