"""A filling is paused, fails and goes on."""

from django.utils import timezone

from ingestion.jobs import recover_jobs, run_job
from ingestion.models import Chunk, ChunkEmbedding, Collection, Document, Job
from ingestion.renewal.reembedding.missing_vectors import is_full, missing_chunks
from ingestion.services.chunks import edit_chunk
from ingestion.services.spaces import fill_space, pause_space, resume_space
from tests.conftest import AddDocument
from tests.ingestion.renewal.reembedding.interrupted import (
    assert_every_chunk_has_exactly_its_vectors,
    batch,
    meanwhile,
    new_space,
)


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
