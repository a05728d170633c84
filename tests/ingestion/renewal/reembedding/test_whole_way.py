"""A space is filled, indexed and activated while the old one serves."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from numpy.typing import NDArray

from ingestion.embedding.word_vectors import WordVectorEmbedder
from ingestion.jobs import recover_jobs, run_job
from ingestion.models import Chunk, ChunkEmbedding, Collection, Document, EmbeddingSpace, Job
from ingestion.renewal.reembedding.activation import switch
from ingestion.renewal.reembedding.indexing import build_index, has_index
from ingestion.renewal.reembedding.missing_vectors import is_full, missing_chunks
from ingestion.services.spaces import activate_space, fill_space, pause_space, resume_space
from rag.services.search import search_passages
from tests.conftest import AddDocument
from tests.ingestion.renewal.reembedding.conftest import FIVE
from tests.ingestion.renewal.reembedding.interrupted import (
    assert_every_chunk_has_exactly_its_vectors,
    batch,
    in_another_process,
    meanwhile,
    new_space,
)


@pytest.mark.django_db(transaction=True)
class TestWholeWay:
    """Indexes are built concurrently, which no transaction of a test may surround."""

    @pytest.fixture
    def five(self, public: Collection, index: AddDocument) -> list[Document]:
        return [index(public, text, name=f"{n}.txt") for n, text in enumerate(FIVE)]

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
        [passage, *_] = search_passages(query="faktury", viewer=AnonymousUser()).passages
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
        embed = WordVectorEmbedder.embed_passages

        def interrupted(self: WordVectorEmbedder, texts: Sequence[str]) -> NDArray[np.float32]:
            if type(self) is WordVectorEmbedder and not elsewhere.done:
                elsewhere()
            return embed(self, texts)

        WordVectorEmbedder.embed_passages = interrupted  # type: ignore[method-assign]
        try:
            index(public, "zupełnie nowy dokument", name="nowy.txt")
        finally:
            WordVectorEmbedder.embed_passages = embed  # type: ignore[method-assign]
        space.refresh_from_db()
        assert space.status == "active"
        assert_every_chunk_has_exactly_its_vectors(space)

    def test_a_space_in_which_a_chunk_lacks_its_vectors_is_not_switched_to(self, five: list[Document]) -> None:
        space = new_space()
        batch(space)
        build_index(space)
        EmbeddingSpace.objects.filter(pk=space.pk).update(activate_when_full=True)
        ChunkEmbedding.objects.filter(space=space, chunk__document=five[2]).delete()
        assert not switch(space)
        space.refresh_from_db()
        assert space.status == "building"
        assert EmbeddingSpace.objects.get(status="active") != space
        batch(space)
        assert switch(space)

    def test_a_space_without_its_index_is_not_switched_to(self, five: list[Document]) -> None:
        space = new_space()
        batch(space)
        EmbeddingSpace.objects.filter(pk=space.pk).update(activate_when_full=True)
        assert not switch(space)
        build_index(space)
        assert switch(space)

    def test_a_job_that_works_long_and_lives_is_not_taken_over(self, five: list[Document], settings: Any) -> None:
        """Until its worker has shown a sign of life, however long it takes, nobody may take it for dead."""
        settings.RAG = {**settings.RAG, "ingestion": {"stale_seconds": 2}}
        job = fill_space(space=new_space(), queue=False)
        taken_over: list[int] = []

        def work_long() -> None:
            begun = Job.objects.get(pk=job.pk).heartbeat
            while Job.objects.get(pk=job.pk).heartbeat == begun and not sum(taken_over):
                taken_over.append(recover_jobs())
                time.sleep(0.05)

        meanwhile(work_long)
        run_job(str(job.pk))
        assert taken_over
        assert not sum(taken_over)
        job.refresh_from_db()
        assert job.status == "succeeded"

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
