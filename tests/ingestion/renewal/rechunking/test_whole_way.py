"""Documents are split anew from their stored texts while readers search."""

import threading

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import connections

from ingestion.errors import NothingToRechunk
from ingestion.models import Chunk, Collection, Document
from ingestion.services.rechunking import Wish, roll_back_rechunking
from rag.services.search import search_passages
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
            seen.extend(word for word in WORDS if search_passages(query=word, viewer=AnonymousUser()).passages)

        InterruptedChunker.meanwhile = staticmethod(look)  # type: ignore[assignment]
        work(start(five[0].collection))
        assert seen == WORDS * 5

    @pytest.mark.slow
    @pytest.mark.django_db(transaction=True)
    def test_a_reader_who_searches_all_the_while_always_finds_something(
        self, public: Collection, index: AddDocument
    ) -> None:
        five = [index(public, text_about(word), name=f"{word}.txt") for word in WORDS]
        found: list[int] = []
        begun, ended = threading.Event(), threading.Event()

        def read() -> None:
            try:
                while not ended.is_set():
                    found.append(len(search_passages(query="urząd miejski", viewer=AnonymousUser()).passages))
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
        assert not search_passages(query="tajne", viewer=employee).passages
        assert len(search_passages(query="tajne", viewer=member).passages) == 3
