"""A space is filled while the old one serves, whatever happens meanwhile."""

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection, connections, transaction
from django.utils import timezone
from numpy.typing import NDArray

from ingestion.embedding.hashing import HashingEmbedder
from ingestion.jobs import recover_jobs, run_job
from ingestion.models import Chunk, ChunkEmbedding, Collection, Document, EmbeddingSpace, Job
from ingestion.reembedding.filling import fill_batch
from ingestion.reembedding.indexing import has_index
from ingestion.reembedding.missing import is_full, missing_chunks
from ingestion.services.chunks import edit_chunk, set_chunk_enabled
from ingestion.services.documents import delete_document
from ingestion.services.spaces import activate_space, create_space, fill_space, pause_space, resume_space
from ingestion.vectors import chunk_vectors, draft_of
from rag.services.search import search
from tests.conftest import AddDocument

FIVE = ["urlop wypoczynkowy", "faktura korygująca", "hasło do sieci", "delegacja służbowa", "umowa o pracę"]
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


@pytest.fixture(autouse=True)
def _settings(settings: Any) -> Any:
    embedders = {**settings.RAG["components"]["embedders"], "other": {"backend": BACKEND}}
    settings.RAG = {
        **settings.RAG,
        "components": {**settings.RAG["components"], "embedders": embedders},
        "reembedding": {"batch": 2, "rest": 0.0, "retry_seconds": 30.0},
    }
    yield
    InterruptedEmbedder.meanwhile = None


@pytest.fixture
def five(public: Collection, index: AddDocument) -> list[Document]:
    return [index(public, text, name=f"{n}.txt") for n, text in enumerate(FIVE)]


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


@pytest.mark.django_db(transaction=True)
class TestWholeWay:
    """Indexes are built concurrently, which no transaction of a test may surround."""

    def test_a_space_is_filled_indexed_and_activated_by_one_job(self, five: list[Document]) -> None:
        space = new_space()
        job = activate_space(space=space, queue=False)
        old = EmbeddingSpace.objects.get(status="active")
        run_job(str(job.pk))
        for row in (space, old, job):
            row.refresh_from_db()
        assert (space.status, old.status, job.status) == ("active", "retired", "succeeded")
        assert has_index(space)
        assert_every_chunk_has_exactly_its_vectors(space)
        [passage, *_] = search(query="faktury", viewer=AnonymousUser()).passages
        assert passage.text == FIVE[1]
        assert passage.explanation.dense_rank == 1

    def test_a_document_that_was_embedded_before_the_switch_gets_its_vectors_in_the_new_space(
        self, public: Collection, five: list[Document], index: AddDocument
    ) -> None:
        space = new_space()
        pause_space(space=space)  # so that the document is embedded for the old space only

        def switch() -> None:
            resume_space(space=space, queue=False)
            run_job(str(activate_space(space=space, queue=False).pk))

        elsewhere = in_another_process(switch)
        embed = HashingEmbedder.embed_passages

        def interrupted(self: HashingEmbedder, texts: Sequence[str]) -> NDArray[np.float32]:
            if type(self) is HashingEmbedder and not elsewhere.done:
                elsewhere()
            return embed(self, texts)

        HashingEmbedder.embed_passages = interrupted  # type: ignore[method-assign]
        try:
            index(public, "zupełnie nowy dokument", name="nowy.txt")
        finally:
            HashingEmbedder.embed_passages = embed  # type: ignore[method-assign]
        space.refresh_from_db()
        assert space.status == "active"
        assert_every_chunk_has_exactly_its_vectors(space)

    def test_a_chunk_that_somebody_holds_is_left_and_filled_later(self, five: list[Document]) -> None:
        space = new_space()
        held = Chunk.objects.order_by("pk")[1]
        with transaction.atomic():
            Chunk.objects.select_for_update().get(pk=held.pk)
            fill = in_another_process(lambda: batch(space))
            fill()
            assert missing_chunks(space, limit=10) == [held.pk]
        assert batch(space) == 1
        assert is_full(space)

    def test_two_fillers_write_no_vector_twice(self, five: list[Document]) -> None:
        space = new_space()
        other = in_another_process(lambda: batch(space))
        meanwhile(other)
        batch(space)
        assert_every_chunk_has_exactly_its_vectors(space)

    def test_a_drop_while_a_batch_is_embedded_leaves_nothing(self, five: list[Document]) -> None:
        from ingestion.services.spaces import drop_space

        space = new_space()
        meanwhile(in_another_process(lambda: drop_space(space=space)))
        assert batch(space) == 0
        assert not EmbeddingSpace.objects.filter(pk=space.pk).exists()
        assert not ChunkEmbedding.objects.filter(space_id=space.pk).exists()


class TestMeanwhile:
    """What happens to a chunk between its being read and its vectors being written."""

    def test_an_edited_chunk_gets_the_vectors_of_its_new_text(self, five: list[Document]) -> None:
        space, chunk = new_space(), Chunk.objects.get(document=five[0])
        meanwhile(lambda: edit_chunk(chunk=chunk, text="coś zupełnie innego"))
        batch(space)
        assert_every_chunk_has_exactly_its_vectors(space)

    def test_a_chunk_switched_off_gets_none(self, five: list[Document]) -> None:
        space, chunk = new_space(), Chunk.objects.get(document=five[0])
        meanwhile(lambda: set_chunk_enabled(chunk=chunk, enabled=False))
        assert batch(space) == 4
        assert_every_chunk_has_exactly_its_vectors(space)

    def test_a_deleted_document_leaves_no_vectors(self, five: list[Document]) -> None:
        space = new_space()
        meanwhile(lambda: delete_document(document=five[0]))
        assert batch(space) == 4
        assert_every_chunk_has_exactly_its_vectors(space)

    def test_a_replaced_document_has_its_new_vectors(
        self, five: list[Document], public: Collection, index: AddDocument
    ) -> None:
        space = new_space()
        meanwhile(lambda: index(public, "nowa treść dokumentu", name="0.txt"))
        batch(space)
        assert_every_chunk_has_exactly_its_vectors(space)

    def test_a_new_document_goes_to_both_spaces(
        self, five: list[Document], public: Collection, index: AddDocument
    ) -> None:
        space = new_space()
        batch(space)
        index(public, "nowy dokument", name="nowy.txt")
        assert is_full(space)
        assert_every_chunk_has_exactly_its_vectors(space)

    def test_a_space_that_comes_between_embedding_and_writing_is_filled_later(
        self, five: list[Document], public: Collection, index: AddDocument
    ) -> None:
        first = new_space()
        created: list[EmbeddingSpace] = []
        meanwhile(lambda: created.append(create_space(embedder="other", options={"dimension": 32}, queue=False)))
        index(public, "nowy dokument", name="nowy.txt")
        batch(first)
        [second] = created
        assert len(missing_chunks(second, limit=100)) == 6
        batch(second)
        assert_every_chunk_has_exactly_its_vectors(second)


class TestPauseAndFailure:
    def test_a_pause_takes_effect_after_the_batch(self, five: list[Document]) -> None:
        space = new_space()
        meanwhile(lambda: pause_space(space=space))
        run_job(str(fill_space(space=space, queue=False).pk))
        assert ChunkEmbedding.objects.filter(space=space).count() == 0
        assert Job.objects.get(space=space).status == "cancelled"

    def test_what_comes_during_a_pause_is_made_up_for(
        self, five: list[Document], public: Collection, index: AddDocument
    ) -> None:
        space = new_space()
        batch(space)
        pause_space(space=space)
        index(public, "przyszedł w czasie przerwy", name="nowy.txt")
        edit_chunk(chunk=Chunk.objects.get(document=five[0]), text="zmieniony w czasie przerwy")
        assert len(missing_chunks(space, limit=100)) == 2
        resume_space(space=space, queue=False)
        batch(space)
        assert_every_chunk_has_exactly_its_vectors(space)

    def test_an_embedder_that_fails_is_tried_again_and_the_space_says_why(self, five: list[Document]) -> None:
        space = new_space()

        def fail() -> None:
            raise ConnectionError("endpoint nie odpowiada")

        meanwhile(fail)
        job = Job.objects.get(space=space)
        run_job(str(job.pk))
        job.refresh_from_db()
        space.refresh_from_db()
        assert (job.status, job.failures) == ("queued", 1)
        assert "endpoint nie odpowiada" in space.error
        assert 20 < (job.due - timezone.now()).total_seconds() <= 30
        run_job(str(job.pk))  # not before it is due
        assert ChunkEmbedding.objects.filter(space=space).count() == 0
        assert recover_jobs() == 0
        Job.objects.update(due=timezone.now())
        assert recover_jobs() == 1
        batch(space)
        assert is_full(space)

    def test_a_failing_new_embedder_stops_no_document(
        self, five: list[Document], public: Collection, index: AddDocument
    ) -> None:
        from ingestion.errors import IngestionError

        space = new_space()
        batch(space)

        def fail() -> None:
            raise IngestionError("endpoint nie odpowiada")

        meanwhile(fail)
        document = index(public, "mimo to", name="nowy.txt")
        assert document.status == "ready"
        assert len(missing_chunks(space, limit=10)) == document.chunk_count

    def test_a_worker_that_dies_three_times_without_a_batch_gives_up_with_a_reason(self, five: list[Document]) -> None:
        job = Job.objects.get(space=new_space())
        Job.objects.filter(pk=job.pk).update(attempts=3)
        run_job(str(job.pk))
        job.refresh_from_db()
        assert (job.status, job.error_code) == ("failed", "gave_up")


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
