"""Documents are split anew from their stored texts while readers search, whatever happens meanwhile."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import connections
from django.utils import timezone

from ingestion.chunking.recursive import RecursiveChunker
from ingestion.errors import NothingToRechunk, RechunkingError
from ingestion.jobs import recover_jobs, run_job
from ingestion.models import Chunk, ChunkEmbedding, ChunkSketch, Collection, Document, Job, Posting, Rechunking
from ingestion.rechunking import batch as batches
from ingestion.rechunking.batch import rechunk_documents
from ingestion.services.chunks import edit_chunk, set_chunk_enabled
from ingestion.services.documents import archive_document
from ingestion.services.rechunking import (
    Wish,
    pause_rechunking,
    resume_rechunking,
    roll_back_rechunking,
    start_rechunking,
)
from ingestion.spaces import ensure_active_space
from ingestion.types import ExtractedText, Span
from rag.evaluation.datasets import store_dataset
from rag.evaluation.questions import LabelledQuestion
from rag.services.search import search
from tests.conftest import AddDocument

WORDS = ["urlop", "faktura", "delegacja", "umowa", "hasło"]
SMALL = Wish(chunker="interrupted", chunk_size=16, overlap=0)


class InterruptedChunker(RecursiveChunker):
    """The recursive chunker; before it splits a text, `meanwhile` happens."""

    meanwhile: Callable[[str], None] | None = None

    def split(self, extracted: ExtractedText) -> list[Span]:
        if happening := type(self).meanwhile:
            happening(extracted.text)
        return super().split(extracted)


@pytest.fixture(autouse=True)
def _settings(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    components = settings.RAG["components"]
    chunkers = {**components["chunkers"], "interrupted": {"backend": f"{__name__}.InterruptedChunker"}}
    settings.RAG = {
        **settings.RAG,
        "components": {**components, "chunkers": chunkers},
        "reembedding": {"rest": 0.0, "retry_seconds": 30.0},
    }
    monkeypatch.setattr(batches, "_DOCUMENTS", 2)
    yield
    InterruptedChunker.meanwhile = None


@pytest.fixture
def five(public: Collection, index: AddDocument) -> list[Document]:
    return [index(public, text_about(word), name=f"{word}.txt") for word in WORDS]


def text_about(word: str) -> str:
    """Three paragraphs, one chunk of 512 tokens and three of 16."""
    return "\n\n".join(f"Akapit {n}: {word} w naszym urzędzie miejskim." for n in ("pierwszy", "drugi", "trzeci"))


def start(*collections: Collection, wish: Wish = SMALL, **gate: Any) -> Rechunking:
    return start_rechunking(collections=collections, wish=wish, queue=False, **gate)


def work(rechunking: Rechunking) -> Job:
    """Run its job until it ends or waits for another day."""
    job = rechunking.jobs.latest("created")
    for _ in range(20):
        run_job(str(job.pk))
        job.refresh_from_db()
        if job.status != Job.Status.QUEUED or job.due:
            break
    rechunking.refresh_from_db()
    return job


def counts(*documents: Document) -> list[int]:
    return [document.chunks.count() for document in documents]


def assert_the_index_is_whole() -> None:
    """Every chunk is what its range says, with postings and a vector; nothing is left of former ones."""
    chunks = list(Chunk.objects.filter(enabled=True).select_related("extraction"))
    keys = {chunk.pk for chunk in chunks}
    assert all(chunk.extraction.text[chunk.start : chunk.end] == chunk.text for chunk in chunks if not chunk.edited)
    assert set(Posting.objects.values_list("chunk", flat=True)) == keys
    vectors = ChunkEmbedding.objects.filter(space=ensure_active_space(), part=0)
    assert sorted(vectors.values_list("chunk", flat=True)) == sorted(keys)
    assert set(ChunkSketch.objects.values_list("chunk", flat=True)) <= {*Chunk.objects.values_list("pk", flat=True)}
    for document in Document.objects.filter(status="ready"):
        assert document.chunk_count == document.chunks.count()


class TestWholeWay:
    def test_every_document_gets_its_new_chunks_from_its_stored_text(self, five: list[Document]) -> None:
        for document in five:
            document.file.delete(save=False)  # what is not there cannot be read again
        rechunking = start(five[0].collection)
        assert work(rechunking).status == "succeeded"
        assert (rechunking.status, rechunking.done, rechunking.total) == ("done", 5, 5)
        assert counts(*five) == [3] * 5
        assert_the_index_is_whole()

    def test_other_collections_stay_as_they_are(
        self, five: list[Document], internal: Collection, index: AddDocument
    ) -> None:
        other = index(internal, text_about("inny"), name="inny.txt")
        work(start(five[0].collection))
        assert counts(five[0], other) == [3, 1]

    def test_what_has_these_chunks_already_keeps_its_rows(self, five: list[Document]) -> None:
        before = set(Chunk.objects.values_list("pk", flat=True))
        rechunking = start(five[0].collection, wish=Wish(chunk_size=500))
        work(rechunking)
        assert rechunking.status == "done"
        assert set(Chunk.objects.values_list("pk", flat=True)) == before

    def test_where_nothing_is_to_be_done_it_says_so(self, five: list[Document]) -> None:
        work(start(five[0].collection))
        with pytest.raises(NothingToRechunk):
            start(Collection.objects.get(pk=five[0].collection_id))

    def test_documents_that_come_later_get_the_new_chunking(
        self, five: list[Document], public: Collection, index: AddDocument
    ) -> None:
        work(start(public))
        assert counts(index(public, text_about("nowy"), name="nowy.txt")) == [3]

    def test_citable_pages_and_code_survive_the_stored_text(self, public: Collection, index: AddDocument) -> None:
        code = "\n\n\n".join(f"def funkcja_{n}(x):\n    return x + {n} * 1000000 - x // 3" for n in range(4))
        document = index(public, code, name="program.py")
        work(start(public, wish=Wish(chunk_size=20, overlap=0)))
        assert ["funkcja_1"] in list(document.chunks.values_list("heading_path", flat=True))

    def test_searching_finds_every_document_at_every_moment(self, five: list[Document]) -> None:
        seen: list[str] = []

        def look(text: str) -> None:
            seen.extend(word for word in WORDS if search(query=word, viewer=AnonymousUser()).passages)

        InterruptedChunker.meanwhile = staticmethod(look)  # type: ignore[assignment]
        work(start(five[0].collection))
        assert seen == WORDS * 5

    @pytest.mark.django_db(transaction=True)
    def test_a_reader_who_searches_all_the_while_always_finds_something(
        self, five: list[Document], public: Collection
    ) -> None:
        found: list[int] = []
        begun, ended = threading.Event(), threading.Event()

        def read() -> None:
            try:
                while not ended.is_set():
                    found.append(len(search(query="urząd miejski", viewer=AnonymousUser()).passages))
                    begun.set()
            finally:
                connections.close_all()

        reader = threading.Thread(target=read)
        reader.start()
        begun.wait(60)
        try:
            rechunking = start(public)
            work(rechunking)
            roll_back_rechunking(rechunking=rechunking, queue=False)
            work(rechunking)
        finally:
            ended.set()
            reader.join(60)
        assert (rechunking.status, counts(*five)) == ("rolled_back", [1] * 5)
        assert len(found) > 5
        assert 0 not in found

    def test_nobody_sees_more_than_before(
        self, restricted: Collection, index: AddDocument, employee: User, member: User
    ) -> None:
        index(restricted, text_about("tajne"), name="tajne.txt")
        work(start(restricted))
        assert not search(query="tajne", viewer=employee).passages
        assert len(search(query="tajne", viewer=member).passages) == 3


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
        document = index(public, text_about("nowy"), name="nowy.txt")
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
            patch.setattr("ingestion.embedding.hashing.HashingEmbedder.embed_passages", fail)
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


class TestGate:
    @pytest.fixture
    def golden(self, five: list[Document], public: Collection) -> str:
        asked = [
            LabelledQuestion(id=word, question=f"{word} w urzędzie", expected_documents=(f"{word}.txt",))
            for word in WORDS
        ]
        store_dataset(name="zlote", collection=public, questions=asked)
        return "zlote"

    def test_what_gets_no_worse_stays(self, golden: str, public: Collection) -> None:
        rechunking = start(public, gate=golden)
        work(rechunking)
        assert rechunking.status == "done"
        assert (rechunking.score_before, rechunking.score_after) == (1.0, 1.0)

    def test_what_gets_worse_is_put_back_and_says_by_how_much(
        self, golden: str, five: list[Document], public: Collection
    ) -> None:
        """The golden set names documents, so that it measures the same before and after."""
        rechunking = start(public, gate=golden, margin=-0.5)  # even as good is not enough
        assert work(rechunking).status == "succeeded"
        assert (rechunking.status, rechunking.backwards) == ("rolled_back", True)
        assert "1.000" in rechunking.verdict
        assert "zlote" in rechunking.verdict
        assert counts(*five) == [1] * 5
        public.refresh_from_db()
        assert public.chunking == {}
        assert_the_index_is_whole()

    def test_a_set_that_cannot_be_measured_stops_it_before_anything_changed(
        self, golden: str, five: list[Document], public: Collection
    ) -> None:
        rechunking = start(public, gate=golden)
        store_dataset(name="zlote", collection=public, questions=[])
        job = work(rechunking)
        assert (job.status, rechunking.status, counts(*five)) == ("failed", "failed", [1] * 5)
        public.refresh_from_db()
        assert public.chunking == {}

    def test_a_set_of_another_collection_or_none_is_refused_before_the_work(
        self, golden: str, internal: Collection, public: Collection
    ) -> None:
        with pytest.raises(RechunkingError):
            start(internal, gate=golden)
        with pytest.raises(RechunkingError, match="nieznany"):
            start(public, gate="nieznany")
        assert not Rechunking.objects.exists()


class TestRollingBack:
    def test_the_former_chunking_of_each_collection_comes_back(
        self, five: list[Document], internal: Collection, index: AddDocument
    ) -> None:
        other = index(internal, text_about("inny"), name="inny.txt")
        work(start(internal))
        both = list(Collection.objects.order_by("slug"))
        rechunking = start(*both, wish=Wish(chunker="recursive", chunk_size=32, overlap=0))
        work(rechunking)
        assert counts(five[0], other) == [2, 2]
        roll_back_rechunking(rechunking=rechunking, queue=False)
        work(rechunking)
        assert rechunking.status == "rolled_back"
        assert counts(five[0], other) == [1, 3]
        assert_the_index_is_whole()

    def test_half_way_it_turns_round(self, five: list[Document], public: Collection) -> None:
        rechunking = start(public)

        def turn(text: str) -> None:
            if WORDS[1] in text:
                InterruptedChunker.meanwhile = None
                roll_back_rechunking(rechunking=rechunking, queue=False)

        InterruptedChunker.meanwhile = staticmethod(turn)  # type: ignore[assignment]
        work(rechunking)
        assert (rechunking.status, counts(*five)) == ("rolled_back", [1] * 5)

    def test_what_the_settings_said_before_comes_back(
        self, five: list[Document], public: Collection, settings: Any
    ) -> None:
        settings.RAG = {**settings.RAG, "ingestion": {"chunking": {"chunk_size": 16, "overlap": 0}}}
        rechunking = start(public, wish=Wish())
        work(rechunking)
        assert counts(*five) == [3] * 5
        roll_back_rechunking(rechunking=rechunking, queue=False)
        work(rechunking)
        assert counts(*five) == [1] * 5

    def test_before_it_began_nothing_is_to_be_put_back(self, five: list[Document], public: Collection) -> None:
        rechunking = start(public)
        assert roll_back_rechunking(rechunking=rechunking) is None
        assert rechunking.jobs.get().status == "cancelled"
        assert counts(*five) == [1] * 5

    def test_an_older_change_waits_for_the_later_one(self, five: list[Document], public: Collection) -> None:
        first = start(public)
        work(first)
        second = start(Collection.objects.get(pk=public.pk), wish=Wish(chunk_size=64))
        work(second)
        with pytest.raises(RechunkingError):
            roll_back_rechunking(rechunking=first, queue=False)
        for rechunking in (second, first):
            roll_back_rechunking(rechunking=rechunking, queue=False)
            work(rechunking)
        assert counts(*five) == [1] * 5


class TestWishes:
    @pytest.mark.parametrize(
        "wish",
        [
            Wish(chunker="nieznany"),
            Wish(chunker="ingestion.chunking.recursive.RecursiveChunker"),  # only what is declared
            Wish(chunk_size=2),
            Wish(chunk_size=100_000),
            Wish(chunk_size=100, overlap=100),
            Wish(overlap=-1),
            Wish(chunker="semantic", options={"percentile": 300}),
            Wish(chunker="semantic", options={"nieznana": 1}),
        ],
    )
    def test_a_chunking_that_cannot_be_is_refused(self, five: list[Document], public: Collection, wish: Wish) -> None:
        with pytest.raises(RechunkingError):
            start(public, wish=wish)
        assert not Rechunking.objects.exists()

    def test_one_change_at_a_time(self, five: list[Document], public: Collection, internal: Collection) -> None:
        first = start(public)
        pause_rechunking(rechunking=first)
        with pytest.raises(RechunkingError):
            start(internal)

    def test_a_collection_goes_back_to_the_settings(self, five: list[Document], public: Collection) -> None:
        work(start(public))
        work(start(Collection.objects.get(pk=public.pk), wish=Wish(as_settings=True)))
        public.refresh_from_db()
        assert public.chunking == {}
        assert counts(*five) == [1] * 5
