"""Packed posting lists give the scores of the rows they were made of, whatever has changed since."""

import random
from copy import deepcopy
from typing import Any

import pytest
from django.db import connection

from ingestion.index.packed_rows import drop_packed_rows
from ingestion.index.packing import forget_gone_chunks, pack_collection, pack_postings
from ingestion.models import Chunk, Collection, CollectionStatistics, Document, Posting, PostingList
from ingestion.models.postings import TermStatistics
from ingestion.services.chunks import edit_chunk, revert_chunk, set_chunk_enabled
from ingestion.services.documents import delete_document
from ingestion.services.erasure import erase_document
from ingestion.text.index_format.posting_lists import Postings
from rag.search.query.analysis import analyse_query
from rag.search.retrieval.filters import condition
from rag.search.retrieval.lexical import LexicalRetriever, corpus_statistics
from rag.types import Filters
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept
from tests.rag.search.test_lexical import SETTINGS, WORDS, assert_same, retrieve

QUERIES = ("termin opłaty za wniosek", "urlopy 26 dni", "faktura", "umowę sądu i urzędu")


def write_documents() -> list[Document]:
    public, source = make_public(), random.Random(8)
    texts = (" ".join(source.choices(WORDS, k=source.randint(3, 40))) for _ in range(25))
    return [
        index_text(public, text, name=f"{n}.txt", title=f"Tytuł {n}", category=f"{n % 5}")
        for n, text in enumerate(texts)
    ]


@pytest.fixture(scope="module")
def kept_documents(kept_rows: Kept) -> list[Document]:
    return kept_rows.make(write_documents)


@pytest.fixture
def documents(kept_documents: list[Document], db: None) -> list[Document]:
    return deepcopy(kept_documents)


@pytest.fixture
def written(documents: list[Document]) -> Collection:
    """The collection of the documents."""
    return documents[0].collection


def state(collection: Collection) -> CollectionStatistics:
    return CollectionStatistics.objects.get(pk=collection.pk)


@pytest.mark.slow
def test_scores_are_exact_after_packing_and_after_what_comes_later(
    written: Collection, documents: list[Document], index: AddDocument
) -> None:
    assert pack_collection(written.pk, least=3)
    assert corpus_statistics([written.pk]).packed
    for query in QUERIES:
        assert_same(query, written)
    rows = Posting.objects.count()
    assert drop_packed_rows() > 0.5 * rows
    assert drop_packed_rows() == 0
    for query in QUERIES:
        assert_same(query, written)
    index(written, "Nowa faktura za urlop w sądzie", name="nowa.txt")
    index(written, "Faktura zmieniona, termin 26 dni", name="3.txt", title="Tytuł 3")
    delete_document(document=documents[5])
    set_chunk_enabled(chunk=documents[6].chunks.get(), enabled=False)
    edit_chunk(chunk=documents[7].chunks.get(), text="umowa urlopu w sądzie")
    assert state(written).late == [documents[7].chunks.get().pk]
    for query in QUERIES:
        assert_same(query, written)
    assert pack_collection(written.pk, least=3)
    assert state(written).late == []
    drop_packed_rows()
    for query in QUERIES:
        assert_same(query, written)


def test_counts_are_those_of_the_texts_however_often_lists_took_the_place_of_rows(
    written: Collection, documents: list[Document], index: AddDocument
) -> None:
    def counts() -> set[tuple[int, int, int]]:
        rows = TermStatistics.objects.filter(collection=written).exclude(lemma_chunks=0, form_chunks=0)
        return set(rows.values_list("term_id", "lemma_chunks", "form_chunks"))

    chunk = documents[7].chunks.get()
    before, number = counts(), state(written).chunks
    for dropped in (drop_packed_rows, lambda: None, drop_packed_rows):
        pack_collection(written.pk, least=1)
        dropped()
        edit_chunk(chunk=chunk, text="umowa urlopu w sądzie")
        set_chunk_enabled(chunk=chunk, enabled=False)
        dropped()
        revert_chunk(chunk=Chunk.objects.get(pk=chunk.pk))
        set_chunk_enabled(chunk=Chunk.objects.get(pk=chunk.pk), enabled=True)
        assert counts() == before
        assert state(written).chunks == number
    for document in documents:
        delete_document(document=document)
    assert counts() == set()
    assert (state(written).chunks, state(written).words) == (0, 0)


def test_whoever_dies_while_rows_are_dropped_leaves_them_to_the_next(
    written: Collection, documents: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(execute: Any, sql: str, *rest: Any) -> Any:
        if "DELETE FROM ingestion_posting p" in sql and next(calls):
            raise KeyboardInterrupt
        return execute(sql, *rest)

    monkeypatch.setattr("ingestion.index.packed_rows._TERMS", 2)
    calls = iter([False, False, True])
    pack_collection(written.pk, least=3)
    with pytest.raises(KeyboardInterrupt), connection.execute_wrapper(dies):
        drop_packed_rows()
    for query in QUERIES:
        assert_same(query, written)
    edit_chunk(chunk=documents[7].chunks.get(), text="umowa urlopu w sądzie")
    delete_document(document=documents[5])
    assert drop_packed_rows() > 0
    for query in QUERIES:
        assert_same(query, written)


def test_keys_far_apart_are_summed_alike(
    written: Collection, documents: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    pack_collection(written.pk, least=3)
    monkeypatch.setattr("rag.search.retrieval.max_score._SPAN", 0)
    for query in QUERIES:
        assert_same(query, written)


def test_a_chunk_edited_while_its_collection_is_packed_is_late(written: Collection, documents: list[Document]) -> None:
    chunk = documents[7].chunks.get()

    def meanwhile(execute: Any, sql: str, *rest: Any) -> Any:
        found = execute(sql, *rest)
        if "SET packing_to = greatest" in sql:
            edit_chunk(chunk=chunk, text="umowa urlopu w sądzie")
        return found

    with connection.execute_wrapper(meanwhile):
        assert pack_collection(written.pk, least=3)
    assert state(written).late == [chunk.pk]
    for query in QUERIES:
        assert_same(query, written)


def test_several_collections_packed_or_not_are_searched_together(
    written: Collection, internal: Collection, documents: list[Document], index: AddDocument
) -> None:
    other = index(internal, "Faktura za wniosek o urlop", name="inna.txt")
    pack_collection(written.pk, least=3)
    both = [written, internal]
    keys = [one.pk for one in both]
    statistics = corpus_statistics(keys)
    assert statistics.packed
    found = LexicalRetriever(SETTINGS).retrieve(
        analyse_query("faktura", keys),
        collections=both,
        statistics=statistics,
        condition=condition(Filters()),
        limit=100,
    )
    assert other.chunks.get().pk in dict(found)
    assert len(found) == len(retrieve("faktura", written)) + 1


def test_filters_that_few_chunks_pass_still_find_them_all(written: Collection, documents: list[Document]) -> None:
    pack_collection(written.pk, least=3)

    def found(limit: int) -> list[tuple[int, float]]:
        return LexicalRetriever(SETTINGS).retrieve(
            analyse_query("urlop termin faktura", [written.pk]),
            collections=[written],
            statistics=corpus_statistics([written.pk]),
            condition=condition(Filters(categories=("3",))),
            limit=limit,
        )

    wanted = {chunk for document in documents[3::5] for chunk in document.chunks.values_list("pk", flat=True)}
    assert len(found(100)) > 2
    assert {chunk for chunk, _ in found(100)} <= wanted
    assert found(2) == found(100)[:2]


def test_a_filter_that_some_of_the_best_chunks_pass_finds_the_worse_ones_too(
    public: Collection, index: AddDocument
) -> None:
    index(public, "faktura faktura faktura", name="a.txt", category="a")
    for n in range(15):  # more than are looked at first
        index(public, "faktura faktura i umowa", name=f"b{n}.txt", category="b")
    index(public, "faktura, umowa, wniosek, termin, opłata, sąd, urząd", name="z.txt", category="a")
    pack_collection(public.pk, least=1)
    found = LexicalRetriever(SETTINGS).retrieve(
        analyse_query("faktura", [public.pk]),
        collections=[public],
        statistics=corpus_statistics([public.pk]),
        condition=condition(Filters(categories=("a",))),
        limit=2,
    )
    wanted = Chunk.objects.filter(document__category="a").order_by("pk").values_list("pk", flat=True)
    assert [chunk for chunk, _ in found] == list(wanted)


def test_a_quoted_phrase_is_found_in_packed_and_in_new_chunks(
    written: Collection, documents: list[Document], index: AddDocument
) -> None:
    before = index(written, "Sąd wydał postanowienie o kosztach", name="przed.txt")
    index(written, "O kosztach wydał sąd postanowienie", name="inaczej.txt")
    pack_collection(written.pk, least=1)
    after = index(written, "Postanowienie o kosztach w innej sprawie", name="po.txt")
    query = analyse_query('wniosek "postanowienie o kosztach"', [written.pk])
    found = LexicalRetriever(SETTINGS).retrieve(
        query,
        collections=[written],
        statistics=corpus_statistics([written.pk]),
        condition=condition(Filters(), query.phrases),
        limit=100,
    )
    assert {chunk for chunk, _ in found} == {before.chunks.get().pk, after.chunks.get().pk}


def test_a_quoted_phrase_is_found_in_a_chunk_that_was_edited_after_packing(
    written: Collection, documents: list[Document], index: AddDocument
) -> None:
    edited = index(written, "Sąd wydał postanowienie o kosztach", name="przed.txt").chunks.get()
    pack_collection(written.pk, least=1)
    edit_chunk(chunk=edited, text="Sąd okręgowy wydał postanowienie o kosztach")
    assert state(written).late == [edited.pk]
    query = analyse_query('"postanowienie o kosztach"', [written.pk])
    found = LexicalRetriever(SETTINGS).retrieve(
        query,
        collections=[written],
        statistics=corpus_statistics([written.pk]),
        condition=condition(Filters(), query.phrases),
        limit=100,
    )
    assert [chunk for chunk, _ in found] == [edited.pk]


def test_a_word_counts_at_most_255_times_in_a_list(public: Collection, index: AddDocument) -> None:
    index(public, "faktura " * 300 + "umowa", name="a.txt")
    index(public, "umowa i faktura", name="b.txt")
    before = retrieve("faktura umowa", public)
    pack_collection(public.pk, least=1)
    assert retrieve("faktura umowa", public) == pytest.approx(before, rel=0.01)


def test_lists_of_a_killed_worker_are_not_read_and_go(written: Collection, documents: list[Document]) -> None:
    pack_collection(written.pk, least=3)
    left = PostingList.objects.first()
    assert left is not None
    PostingList.objects.create(
        term_id=left.term_id, collection_id=written.pk, packed_to=left.packed_to + 1, postings=left.postings * 2
    )
    for query in QUERIES:
        assert_same(query, written)
    pack_collection(written.pk, least=3)
    assert set(PostingList.objects.values_list("packed_to", flat=True)) == {state(written).packed_to}


def test_a_late_chunk_behind_the_last_one_that_is_left_stops_no_packing(
    written: Collection, documents: list[Document]
) -> None:
    last = documents[-1].chunks.get()
    CollectionStatistics.objects.filter(pk=written.pk).update(packing_to=last.pk)  # as a killed worker leaves it
    edit_chunk(chunk=last, text="umowa urlopu w sądzie")
    delete_document(document=documents[-1])
    assert pack_collection(written.pk, least=3)
    for query in QUERIES:
        assert_same(query, written)


def test_an_erasure_leaves_no_chunk_in_a_list_that_is_gone(written: Collection, documents: list[Document]) -> None:
    pack_collection(written.pk, least=3)
    drop_packed_rows()
    gone = {document.chunks.get().pk for document in documents[:2]}
    delete_document(document=documents[0])
    erase_document(document=documents[1])
    listed = {chunk for one in PostingList.objects.all() for chunk in Postings.unpacked(one.postings).chunks.tolist()}
    assert listed
    assert not listed & gone
    for query in QUERIES:
        assert_same(query, written)


def test_an_erasure_while_lists_are_packed_lets_none_be_used(written: Collection, documents: list[Document]) -> None:
    def meanwhile(execute: Any, sql: str, *rest: Any) -> Any:
        if "greatest(lemma_chunks, form_chunks)" in sql:
            forget_gone_chunks(written.pk)
        return execute(sql, *rest)

    with connection.execute_wrapper(meanwhile):
        assert not pack_collection(written.pk, least=3)
    assert not PostingList.objects.exists()
    assert state(written).packed_to == 0


def test_only_collections_with_enough_that_is_new_are_packed(
    written: Collection, documents: list[Document], index: AddDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pack_postings() == 0  # small ones are quick enough
    monkeypatch.setattr("ingestion.index.packing._LEAST_CHUNKS", 20)
    assert pack_postings() == 1
    assert pack_postings() == 0
    for number in range(20):
        index(written, f"Umowa numer {number}", name=f"nowa {number}.txt")
    assert pack_postings() == 1
    monkeypatch.setattr("ingestion.index.packing._MOST_LATE", 0)
    edit_chunk(chunk=documents[7].chunks.get(), text="umowa urlopu w sądzie")
    assert pack_postings() == 1
