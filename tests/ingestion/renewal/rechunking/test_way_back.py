"""A golden set that gets worse, and an administrator who thinks better of it."""

from typing import Any

import pytest

from ingestion.errors import RechunkingError
from ingestion.models import Collection, Document, Rechunking
from ingestion.services.rechunking import Wish, roll_back_rechunking
from rag.evaluation.datasets.dataset_storage import store_dataset
from rag.evaluation.datasets.questions import LabelledQuestion
from tests.conftest import AddDocument
from tests.ingestion.renewal.rechunking.changing import (
    WORDS,
    InterruptedChunker,
    assert_the_index_is_whole,
    counts,
    start,
    text_about,
    work,
)


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
