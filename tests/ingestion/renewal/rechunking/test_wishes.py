"""What may be wished for, and what is refused with a reason."""

import pytest

from ingestion.errors import RechunkingError
from ingestion.models import Collection, Document, Rechunking
from ingestion.services.rechunking import Wish, pause_rechunking
from tests.ingestion.renewal.rechunking.changing import counts, start, work


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
