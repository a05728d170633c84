"""An embedder that is interrupted while it works, and what is looked at after."""

import threading
from collections.abc import Callable, Sequence

import numpy as np
from django.db import connection, connections
from numpy.typing import NDArray

from ingestion.embedding.hashing import HashingEmbedder
from ingestion.index.vectors import chunk_vectors, draft_of
from ingestion.models import Chunk, ChunkEmbedding, EmbeddingSpace
from ingestion.renewal.reembedding.filling import fill_batch
from ingestion.renewal.reembedding.missing_vectors import missing_chunks
from ingestion.services.spaces import create_space

BACKEND = f"{__name__}.InterruptedEmbedder"


class InterruptedEmbedder(HashingEmbedder):
    """The hashing embedder; while it works on passages, `meanwhile` happens."""

    meanwhile: Callable[[], None] | None = None
    fusion = {"method": "weighted", "dense_weight": 0.5, "min_similarity": -1.0}

    def __init__(self, dimension: int = 64) -> None:
        super().__init__(dimension)
        self.name = f"interrupted-{dimension}"

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if happening := type(self).meanwhile:
            type(self).meanwhile = None
            happening()
        return super().embed_passages(texts)


def meanwhile(happening: Callable[[], None]) -> None:
    InterruptedEmbedder.meanwhile = staticmethod(happening)  # type: ignore[assignment]


def new_space() -> EmbeddingSpace:
    return create_space(embedder="other", name="nowa", queue=False)


def batch(space: EmbeddingSpace) -> int:
    return fill_batch(space, missing_chunks(space, limit=100))


def assert_every_chunk_has_exactly_its_vectors(space: EmbeddingSpace) -> None:
    chunks = list(Chunk.objects.filter(enabled=True).select_related("document").order_by("pk"))
    rows = ChunkEmbedding.objects.filter(space=space).order_by("chunk_id", "part")
    assert [row.chunk_id for row in rows] == [chunk.pk for chunk in chunks]
    expected = chunk_vectors(
        [draft_of(chunk) for chunk in chunks], titles=[chunk.document.title for chunk in chunks], space=space
    )
    for row, vectors in zip(rows, expected, strict=True):
        np.testing.assert_allclose(np.asarray(row.embedding), vectors[0], atol=1e-5)


class in_another_process:  # noqa: N801 - reads as the words it stands for
    """Call it once: `act` runs to its end in a thread with a database connection of its own."""

    def __init__(self, act: Callable[[], object]) -> None:
        self._act = act
        self.done = False

    def __call__(self) -> None:
        self.done = True
        failure: list[BaseException] = []

        def run() -> None:
            try:
                self._act()
            except BaseException as error:
                failure.append(error)
            finally:
                connections.close_all()

        thread = threading.Thread(target=run)
        thread.start()
        thread.join(timeout=60)
        if failure:
            raise failure[0]
        assert not thread.is_alive(), connection.alias
