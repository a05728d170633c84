"""Every strategy finds what comparing all vectors would find, with every filter and every two of them."""

from collections.abc import Callable
from datetime import date, timedelta
from itertools import combinations
from typing import Any

import pytest
from django.db import connection

from ingestion.models import Chunk, Collection, CollectionStatistics, Document
from rag.search.retrieval.dense import DenseHit, DenseRetriever, Strategy, cosines
from rag.search.retrieval.filters import condition
from rag.types import Filters
from tests.rag.search.vectors import TODAY, Library, changed_on, make_library, question

LIMIT = 10

Passes = Callable[[int, Document], bool]
FILTERS: dict[str, tuple[dict[str, Any], Passes]] = {
    "source": ({"sources": ("Poczta",)}, lambda n, d: d.source_id is not None),
    "media type": ({"media_types": ("text/html", "text/plain")}, lambda n, d: n % 3 != 1),
    "language": ({"languages": ("en",)}, lambda n, d: d.language == "en"),
    "category": ({"categories": ("umowa", "regulamin")}, lambda n, d: d.category != ""),
    "tags": ({"tags": ("urlop", "kadry")}, lambda n, d: n % 4 == 0),
    "version": ({"versions": ("2",)}, lambda n, d: d.version == "2"),
    "changed from": ({"modified_from": date(2026, 1, 10)}, lambda n, d: changed_on(n) >= date(2026, 1, 10)),
    "changed to": ({"modified_to": date(2026, 1, 20)}, lambda n, d: changed_on(n) <= date(2026, 1, 20)),
    "metadata": ({"metadata": {"pilne": True}}, lambda n, d: n % 2 == 0),
    "nested metadata": (
        {"metadata": {"sprawa": {"etap": 3, "osoby": ["o1"]}}},
        lambda n, d: n % 4 == 3 and n % 3 == 1,
    ),
    "later": ({"valid_on": TODAY + timedelta(days=10)}, lambda n, d: in_force(d, TODAY + timedelta(days=10))),
    "ever": ({"include_expired": True}, lambda n, d: True),
}
PAIRS = [pair for pair in combinations(FILTERS, 2) if not set(FILTERS[pair[0]][0]) & set(FILTERS[pair[1]][0])]


def in_force(document: Document, day: date) -> bool:
    return (document.valid_from is None or document.valid_from <= day) and (
        document.valid_to is None or document.valid_to >= day
    )


@pytest.fixture
def library(public: Collection, internal: Collection) -> Library:
    return make_library([public, internal], documents=60)


def find(library: Library, filters: Filters, *, collections: list[int] | None = None, **options: Any) -> list[DenseHit]:
    retriever = DenseRetriever(strategy=options.pop("strategy", None))
    return retriever.retrieve(
        options.pop("vector", question()),
        space=library.space,
        collection_ids=library.collections if collections is None else collections,
        condition=condition(filters),
        limit=options.pop("limit", LIMIT),
        **options,
    )


def force_index() -> None:
    """So few rows PostgreSQL would rather sort than walk a graph."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_sort = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")


def index_scans(library: Library) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(pg_stat_get_xact_numscans(oid)) FROM pg_class WHERE relname LIKE %s",
            [f"ingestion_embedding_space_{library.space.pk}%"],
        )
        return int(cursor.fetchone()[0])


@pytest.mark.parametrize("strategy", ["index", "exact", None])
def test_every_filter_and_every_two_find_exactly_what_passes(library: Library, strategy: Strategy | None) -> None:
    if strategy == "index":
        force_index()
    for names in [*[(name,) for name in FILTERS], *PAIRS]:
        asked: dict[str, Any] = {"valid_on": TODAY}
        for name in names:
            asked |= FILTERS[name][0]
        passing = {
            document.pk
            for n, document in enumerate(library.documents)
            if (asked.get("include_expired") or in_force(document, asked["valid_on"]))
            and all(FILTERS[name][1](n, document) for name in names if not ("ever" in names and name == "later"))
        }
        found = find(library, Filters(**asked), strategy=strategy)
        assert [hit.chunk_id for hit in found] == library.nearest(question(), passing, LIMIT), names
    if strategy:
        assert (index_scans(library) > 0) == (strategy == "index")


@pytest.mark.parametrize("strategy", ["index", "exact"])
def test_similarity_is_the_cosine(library: Library, strategy: Strategy) -> None:
    for hit in find(library, Filters(include_expired=True), strategy=strategy):
        assert hit.similarity == pytest.approx(library.similarity(question(), hit.chunk_id, 0), abs=1e-3)
        assert hit.part == 0


@pytest.mark.parametrize("strategy", ["index", "exact", None])
def test_nothing_comes_from_another_collection(library: Library, internal: Collection, strategy: Strategy) -> None:
    found = find(library, Filters(), collections=[internal.pk], strategy=strategy, limit=500)
    assert found
    assert set(Chunk.objects.filter(pk__in=[h.chunk_id for h in found]).values_list("collection_id", flat=True)) == {
        internal.pk
    }
    assert find(library, Filters(), collections=[], strategy=strategy) == []


@pytest.mark.parametrize("strategy", ["index", "exact", None])
def test_neither_archived_documents_nor_disabled_chunks_are_found(library: Library, strategy: Strategy) -> None:
    found = {hit.chunk_id for hit in find(library, Filters(include_expired=True), strategy=strategy, limit=500)}
    hidden = Chunk.objects.exclude(document__status="ready", enabled=True)
    assert hidden.filter(enabled=False).exists()
    assert hidden.filter(document__status="archived").exists()
    assert found == set(Chunk.objects.exclude(pk__in=hidden).values_list("pk", flat=True))


@pytest.mark.parametrize("strategy", ["index", "exact"])
def test_a_chunk_is_as_near_as_its_nearest_sentence(public: Collection, strategy: Strategy) -> None:
    library = make_library([public], documents=30, sentences=True)
    if strategy == "index":
        force_index()
    best = {}
    for chunk in library.nearest(question(), {d.pk for d in library.documents}, 500):
        best[chunk] = max((library.similarity(question(), chunk, part), part) for part in range(3))
    expected = sorted(best, key=lambda chunk: -best[chunk][0])[:LIMIT]
    found = find(library, Filters(include_expired=True), strategy=strategy, sentences=True)
    assert [(hit.chunk_id, hit.part) for hit in found] == [(chunk, best[chunk][1]) for chunk in expected]
    assert {0} < {hit.part for hit in found}
    assert {hit.part for hit in find(library, Filters(), strategy=strategy)} == {0}


@pytest.mark.slow
def test_an_index_that_gives_up_too_early_is_followed_by_an_exact_scan(public: Collection) -> None:
    """Three of 1,200 chunks are searched, and they lie farthest from the question."""
    library = make_library([public], documents=400)
    force_index()
    chunks = [chunk for chunk in library.chunks if chunk.enabled and library.documents[0].pk < chunk.document_id]
    ready = set(Document.objects.filter(status="ready").values_list("pk", flat=True))
    farthest = sorted(chunks, key=lambda chunk: library.similarity(question(), chunk.pk, 0))
    wanted = [chunk.pk for chunk in farthest if chunk.document_id in ready][:3]
    Chunk.objects.exclude(pk__in=wanted).update(enabled=False)
    CollectionStatistics.objects.update(chunks=60)  # then the index may visit 240 nodes
    where = condition(Filters(include_expired=True))

    def found(strategy: Strategy | None) -> list[int]:
        retriever = DenseRetriever(ef_search=10, strategy=strategy)
        hits = retriever.retrieve(question(), space=library.space, collection_ids=[public.pk], condition=where, limit=5)
        return [hit.chunk_id for hit in hits]

    assert set(found("index")) < set(wanted)
    assert found(None) == wanted[::-1]


def test_only_the_given_chunks_are_compared_where_some_are_given(public: Collection) -> None:
    library = make_library([public], documents=20)
    force_index()
    among = [chunk.pk for chunk in library.chunks if chunk.enabled][:8]
    where = condition(Filters(include_expired=True))

    def found(among: list[int] | None) -> set[int]:
        hits = DenseRetriever().retrieve(
            question(), space=library.space, collection_ids=[public.pk], condition=where, limit=50, among=among
        )
        return {hit.chunk_id for hit in hits}

    assert found(among) == found(None) & set(among)
    assert found([]) == set()


def test_chunks_that_are_named_have_their_cosines(library: Library) -> None:
    chunks = list(Chunk.objects.order_by("pk").values_list("pk", flat=True)[:7])
    found = cosines(question(), library.space, [*chunks, 2_000_000_000])
    assert found == pytest.approx({chunk: library.similarity(question(), chunk, 0) for chunk in chunks}, abs=1e-5)
    assert cosines(question(), library.space, []) == {}
