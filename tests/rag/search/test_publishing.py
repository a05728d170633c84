"""The words of a bulk come into the lists at once: found as rows would be, by nobody before, counted once."""

import random
from collections.abc import Sequence

import pytest

from ingestion.index.packed_rows import drop_packed_rows
from ingestion.index.packing import pack_collection
from ingestion.index.publishing import publish_collection, publish_loaded
from ingestion.index.vocabulary import forget_unused_words
from ingestion.models import (
    Chunk,
    Collection,
    CollectionStatistics,
    Document,
    LoadedDocument,
    Posting,
    PostingList,
    TermStatistics,
)
from ingestion.services.chunks import edit_chunk, set_chunk_enabled
from ingestion.services.corpora import CorpusBatch, CorpusEntry, index_batch, index_corpus
from ingestion.services.documents import delete_document
from ingestion.services.erasure import erase_document
from tests.conftest import AddDocument
from tests.rag.search.test_lexical import WORDS, assert_same, retrieve

QUERIES = ("termin opłaty za wniosek", "urlopy 26 dni", "faktura", "umowę sądu i urzędu")
SOURCE = random.Random(8)
ENTRIES = [
    CorpusEntry(uri=f"wpis-{n}", title=f"Tytuł {n}", text=" ".join(SOURCE.choices(WORDS, k=SOURCE.randint(3, 40))))
    for n in range(40)
]


def load(collection: Collection, entries: Sequence[CorpusEntry]) -> list[Document]:
    """As a bulk does that is killed before its words are published."""
    index_batch(
        CorpusBatch(collection_id=collection.pk, entries=entries, old=[], fingerprint="x", vectors=True, counted=False)
    )
    return list(collection.documents.filter(uri__in=[entry.uri for entry in entries]).order_by("pk"))


def counts(collection: Collection) -> tuple[tuple[int, int], set[tuple[str, int, int]]]:
    whole = CollectionStatistics.objects.get(pk=collection.pk)
    terms = TermStatistics.objects.filter(collection=collection).exclude(lemma_chunks=0, form_chunks=0)
    return (whole.chunks, whole.words), set(terms.values_list("term__text", "lemma_chunks", "form_chunks"))


def test_what_is_published_is_found_and_counted_as_what_rows_were_written_of(
    public: Collection, internal: Collection, index: AddDocument
) -> None:
    index_corpus(collection=internal, entries=ENTRIES)
    index(public, "Wcześniejsza faktura za urlop.", name="dawna.txt", title="Dawna")
    load(public, ENTRIES[:25])
    assert publish_collection(public.pk) == 25
    load(public, ENTRIES[25:])
    index(internal, "Wcześniejsza faktura za urlop.", name="dawna.txt", title="Dawna")
    assert publish_loaded() == 15
    assert PostingList.objects.filter(collection=public).exists()
    assert Posting.objects.filter(collection=public).count() < Posting.objects.filter(collection=internal).count()
    for query in QUERIES:
        assert_same(query, public)
    assert counts(public) == counts(internal)
    drop_packed_rows()
    for query in QUERIES:
        assert_same(query, public)


def test_a_document_whose_chunks_another_process_wrote_before_those_of_earlier_ones(
    public: Collection, internal: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes take keys of documents and keys of chunks in different orders."""
    monkeypatch.setattr("ingestion.index.publishing._CHUNKS", 2)
    index_corpus(collection=internal, entries=ENTRIES)
    first, *_, last = load(public, ENTRIES)
    chunks = list(Chunk.objects.filter(document__in=[first, last]).order_by("pk"))
    for chunk, document in zip(chunks, (last, first), strict=True):
        Chunk.objects.filter(pk=chunk.pk).update(document=document)
    assert publish_collection(public.pk) == len(ENTRIES)
    for query in QUERIES:
        assert_same(query, public)
    assert counts(public) == counts(internal)


def test_a_document_is_found_with_its_words_or_not_at_all(public: Collection) -> None:
    load(public, ENTRIES[:20])
    assert set(Document.objects.values_list("status", flat=True)) == {"processing"}
    assert not retrieve("faktura", public)
    assert not Posting.objects.exists()
    assert publish_loaded() == 20
    assert set(Document.objects.values_list("status", flat=True)) == {"ready"}
    assert retrieve("faktura", public)
    assert not LoadedDocument.objects.exists()


def test_the_next_bulk_goes_on_where_one_was_killed(public: Collection) -> None:
    loaded = load(public, ENTRIES[:20])
    report = index_corpus(collection=public, entries=ENTRIES)
    assert report.indexed + report.unchanged == len(ENTRIES)
    assert not LoadedDocument.objects.exists()
    assert set(public.documents.values_list("status", flat=True)) == {"ready"}
    assert public.documents.count() == len(ENTRIES)
    assert loaded[0].uri in set(public.documents.values_list("uri", flat=True))
    for query in QUERIES:
        assert_same(query, public)


def test_what_is_edited_switched_off_or_deleted_before_it_is_published_counts_once(
    public: Collection, internal: Collection
) -> None:
    for collection in (public, internal):
        documents = load(collection, ENTRIES[:20])
        if collection == internal:
            publish_collection(collection.pk)
        first, second, third, *_ = documents
        edit_chunk(chunk=Chunk.objects.get(document=first), text="Umowa o nowym brzmieniu.")
        set_chunk_enabled(chunk=Chunk.objects.get(document=second), enabled=False)
        delete_document(document=third)
        if collection == public:
            pack_collection(collection.pk, least=2)
            drop_packed_rows()
            assert publish_collection(collection.pk) == 19
        for query in QUERIES:
            assert_same(query, collection)
    assert counts(public) == counts(internal)


def test_an_erasure_leaves_the_words_of_loaded_documents_and_nothing_of_its_own(
    public: Collection, index: AddDocument, admin_user: object
) -> None:
    erased = index(public, "Legitymacja Brzęczyszczykiewicza.", name="osoba.txt", title="Osoba")
    load(public, ENTRIES[:20])
    erase_document(document=erased, erased_by=admin_user)  # type: ignore[arg-type]
    assert publish_loaded() == 20
    assert "brzęczyszczykiewicza" not in set(TermStatistics.objects.values_list("term__text", flat=True))
    assert forget_unused_words() == 0
    for query in QUERIES:
        assert_same(query, public)


@pytest.mark.parametrize("which", ["erased", "deleted"])
def test_a_loaded_document_goes_without_a_trace(public: Collection, admin_user: object, which: str) -> None:
    documents = load(public, ENTRIES[:20])
    gone = documents[0]
    if which == "erased":
        erase_document(document=gone, erased_by=admin_user)  # type: ignore[arg-type]
    else:
        delete_document(document=gone)
    assert publish_loaded() == 19
    assert CollectionStatistics.objects.get(pk=public.pk).chunks == 19
    for query in QUERIES:
        assert_same(query, public)
