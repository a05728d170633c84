"""A killed worker, a pause, an editor: whatever happens meanwhile, nothing is lost."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from ingestion.jobs import recover_jobs, run_job
from ingestion.models import Chunk, Collection, Document, Job, Rechunking
from ingestion.renewal.rechunking.batch import rechunk_documents
from ingestion.services.chunks import edit_chunk, set_chunk_enabled
from ingestion.services.documents import archive_document
from ingestion.services.rechunking import Wish, pause_rechunking, resume_rechunking
from tests.conftest import AddDocument, index_in_job
from tests.ingestion.renewal.rechunking.changing import (
    WORDS,
    InterruptedChunker,
    assert_the_index_is_whole,
    counts,
    start,
    text_about,
    work,
)


class TestInterruptions:
    def test_a_killed_worker_loses_nothing(self, five: list[Document], public: Collection) -> None:
        class Killed(BaseException):
            pass

        def die(text: str) -> None:
            if WORDS[3] in text:  # in the second batch of two
                raise Killed

        rechunking = start(public)
        InterruptedChunker.meanwhile = staticmethod(die)  # type: ignore[assignment]
        job = rechunking.jobs.get()
        with pytest.raises(Killed):
            run_job(str(job.pk))
        assert counts(*five) == [3, 3, 1, 1, 1]
        kept = set(five[0].chunks.values_list("pk", flat=True))
        InterruptedChunker.meanwhile = None
        Job.objects.update(heartbeat=timezone.now() - timedelta(hours=1))
        assert recover_jobs() == 1
        assert work(rechunking).status == "succeeded"
        assert counts(*five) == [3] * 5
        assert set(five[0].chunks.values_list("pk", flat=True)) == kept
        assert_the_index_is_whole()

    def test_a_pause_takes_effect_after_the_batch(self, five: list[Document], public: Collection) -> None:
        rechunking = start(public)

        def pause(text: str) -> None:
            if WORDS[1] in text:
                pause_rechunking(rechunking=rechunking)

        InterruptedChunker.meanwhile = staticmethod(pause)  # type: ignore[assignment]
        assert work(rechunking).status == "cancelled"
        assert (rechunking.status, counts(*five)) == ("paused", [3, 3, 1, 1, 1])
        InterruptedChunker.meanwhile = None
        resume_rechunking(rechunking=rechunking, queue=False)
        work(rechunking)
        assert (rechunking.status, counts(*five)) == ("done", [3] * 5)

    def test_a_chunk_that_an_editor_changed_is_not_lost(self, five: list[Document], public: Collection) -> None:
        edit_chunk(chunk=Chunk.objects.get(document=five[0]), text="Poprawione przez redaktora.")
        set_chunk_enabled(chunk=Chunk.objects.get(document=five[1]), enabled=False)
        rechunking = start(public)

        def edit(text: str) -> None:
            if WORDS[2] in text:
                edit_chunk(chunk=Chunk.objects.get(document=five[2]), text="Poprawione w trakcie.")

        InterruptedChunker.meanwhile = staticmethod(edit)  # type: ignore[assignment]
        work(rechunking)
        assert (rechunking.status, rechunking.kept, rechunking.done) == ("done", 3, 2)
        assert counts(*five) == [1, 1, 1, 3, 3]
        assert Chunk.objects.filter(text="Poprawione w trakcie.").exists()
        assert_the_index_is_whole()

    def test_a_document_replaced_meanwhile_has_its_new_text(
        self, five: list[Document], public: Collection, index: AddDocument
    ) -> None:
        def replace(text: str) -> None:
            if WORDS[0] in text:
                InterruptedChunker.meanwhile = None
                index(public, text_about("zupełnie nowy"), name=f"{WORDS[0]}.txt")

        rechunking = start(public)
        InterruptedChunker.meanwhile = staticmethod(replace)  # type: ignore[assignment]
        work(rechunking)
        assert "zupełnie nowy" in five[0].chunks.first().text  # type: ignore[union-attr]
        assert counts(*five) == [3] * 5
        assert_the_index_is_whole()

    def test_a_document_archived_meanwhile_stays_out_of_search(self, five: list[Document], public: Collection) -> None:
        rechunking = start(public)
        InterruptedChunker.meanwhile = staticmethod(  # type: ignore[assignment]
            lambda text: archive_document(document=five[0]) if WORDS[0] in text else None
        )
        work(rechunking)
        assert (rechunking.status, counts(*five)) == ("done", [0, 3, 3, 3, 3])

    def test_a_document_that_was_being_read_when_the_chunking_changed_is_split_once_more(
        self, public: Collection, index: AddDocument
    ) -> None:
        started: list[Rechunking] = []
        former = Wish(chunker="interrupted", chunk_size=512)
        index(public, text_about("dawny"), name="dawny.txt")
        work(start(public, wish=former))

        def change(text: str) -> None:
            InterruptedChunker.meanwhile = None
            started.append(start(Collection.objects.get(pk=public.pk)))
            work(started[0])

        InterruptedChunker.meanwhile = staticmethod(change)  # type: ignore[assignment]
        document = index_in_job(public, text_about("nowy"), name="nowy.txt")
        assert started[0].status == "done"
        assert counts(document) == [3]

    def test_a_text_at_which_the_chunker_fails_keeps_its_chunks_and_stops_no_other(
        self, five: list[Document], public: Collection
    ) -> None:
        def fail(text: str) -> None:
            if WORDS[1] in text:
                raise ZeroDivisionError

        InterruptedChunker.meanwhile = staticmethod(fail)  # type: ignore[assignment]
        rechunking = start(public)
        work(rechunking)
        assert (rechunking.status, rechunking.unsplit) == ("done", [five[1].pk])
        assert counts(*five) == [3, 1, 3, 3, 3]
        assert "1" in rechunking.error

    def test_a_failing_embedder_makes_it_wait_and_say_why(
        self, five: list[Document], public: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*args: Any, **kwargs: Any) -> None:
            raise ConnectionError("usługa nie odpowiada")

        rechunking = start(public)
        with monkeypatch.context() as patch:
            patch.setattr("ingestion.embedding.word_vectors.WordVectorEmbedder.embed_passages", fail)
            job = work(rechunking)
        assert (job.status, job.failures, rechunking.status) == ("queued", 1, "running")
        assert "usługa nie odpowiada" in rechunking.error
        assert counts(*five) == [1] * 5
        resume_rechunking(rechunking=rechunking, queue=False)
        work(rechunking)
        assert (rechunking.status, rechunking.error) == ("done", "")

    def test_the_same_documents_twice_are_split_once(self, five: list[Document], public: Collection) -> None:
        work(start(public))
        before = set(Chunk.objects.values_list("pk", flat=True))
        rechunk_documents(list(Document.objects.select_related("collection")))
        assert set(Chunk.objects.values_list("pk", flat=True)) == before
