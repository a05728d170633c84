"""Where rights alone decide, the process proposes what is near from its memory; PostgreSQL decides as ever."""

from dataclasses import replace

import numpy as np
import pytest
from django.contrib.auth.models import Group, User

from ingestion.models import Chunk, ChunkEmbedding, Collection, Document, Readership
from ingestion.selectors import chunk_vectors
from ingestion.selectors.clearance import Clearance, clearance_of
from rag.search.retrieval import selectivity
from rag.search.retrieval.dense import DenseRetriever
from rag.search.retrieval.filters import condition
from rag.search.retrieval.lexical import corpus_statistics
from rag.types import Filters
from tests.rag.search.vectors import CHUNKS, Library, make_library, question

LIMIT = 10


@pytest.fixture(autouse=True)
def remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectivity, "_FEW_ROWS", 0)
    chunk_vectors._kept.clear()


@pytest.fixture
def library(public: Collection, internal: Collection, employee: User) -> Library:
    """Of which `employee` may read two documents of three."""
    found = make_library([public, internal], documents=60)
    own, other = (Readership.objects.create(digest=name) for name in ("own", "other"))
    own.groups.set([Group.objects.create(name="Kadry")])
    employee.groups.set(own.groups.all())
    for number, document in enumerate(found.documents):
        document.readership = (None, own, other)[number % 3]
    Document.objects.bulk_update(found.documents, ["readership"])
    return found


def find(library: Library, clearance: Clearance, *, seed: int = 1, limit: int = LIMIT) -> list[int]:
    hidden = clearance.opening.hidden if clearance.opening else None
    hits = DenseRetriever().retrieve(
        question(seed),
        space=library.space,
        collection_ids=library.collections,
        condition=condition(Filters(include_expired=True), clearance=clearance),
        limit=limit,
        statistics=replace(corpus_statistics(library.collections), hidden=hidden),
    )
    return [hit.chunk_id for hit in hits]


def rights(library: Library, viewer: User) -> Clearance:
    return clearance_of(viewer, within=library.collections)


def readable(library: Library) -> set[int]:
    return {document.pk for number, document in enumerate(library.documents) if number % 3 != 2}


@pytest.mark.parametrize("seed", range(5))
def test_it_finds_what_comparing_all_that_may_be_read_would_find(library: Library, employee: User, seed: int) -> None:
    nearest = library.nearest(question(seed), readable(library), LIMIT)
    assert find(library, rights(library, employee), seed=seed) == nearest
    assert set(chunk_vectors._kept) == set(library.collections)


def test_where_the_rest_of_the_condition_leaves_too_few_the_others_are_looked_at(
    library: Library, employee: User
) -> None:
    near = library.nearest(question(), readable(library), 3 * LIMIT)
    gone = set(Chunk.objects.filter(pk__in=near).values_list("document", flat=True))
    clearance = rights(library, employee)
    Document.objects.filter(pk__in=gone).update(status="archived")
    assert find(library, clearance) == library.nearest(question(), readable(library) - gone, LIMIT)


def test_a_right_that_was_withdrawn_since_the_process_knew_of_it_is_none(library: Library, employee: User) -> None:
    clearance = rights(library, employee)
    first = find(library, clearance)
    closed = Chunk.objects.get(pk=first[0]).document_id
    Document.objects.filter(pk=closed).update(readership=Readership.objects.get(digest="other"))
    again = find(library, clearance)
    assert again == library.nearest(question(), readable(library) - {closed}, LIMIT)


def test_a_vector_that_was_written_since_is_compared(library: Library, employee: User) -> None:
    find(library, rights(library, employee))
    document = library.documents[0]
    row = Chunk.objects.filter(document=document).first()
    assert row
    row.pk, row.ordinal, row.enabled = None, CHUNKS, True
    row.save(force_insert=True)
    known = rights(library, employee)
    find(library, known)  # it has no vector yet
    ChunkEmbedding.objects.create(space=library.space, chunk=row, embedding=question())
    assert find(library, known)[0] == row.pk


def test_a_chunk_that_an_editor_changed_is_as_near_as_it_is_now(library: Library, employee: User) -> None:
    far = library.nearest(question(), readable(library), 1000)[-1]
    find(library, rights(library, employee))
    ChunkEmbedding.objects.filter(chunk=far).delete()
    ChunkEmbedding.objects.create(space=library.space, chunk_id=far, embedding=question())
    Chunk.objects.filter(pk=far).update(text="Inaczej.", original_text="Zdanie.")
    assert find(library, rights(library, employee))[0] == far


def test_more_than_may_be_kept_is_not_read(library: Library, employee: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunk_vectors, "_MOST_BYTES", 100)
    assert find(library, rights(library, employee)) == library.nearest(question(), readable(library), LIMIT)
    assert not chunk_vectors._kept


def test_a_byte_a_number_is_enough_for_the_order() -> None:
    rows = np.random.default_rng(2).standard_normal((500, 64)).astype(np.float32)
    sent = np.zeros(500, [("chunk", ">i4"), ("head", ">i2", 2), ("values", ">f4", 64)])
    sent["chunk"], sent["values"] = np.arange(500), rows
    sent["head"][:, 0] = 64
    known = chunk_vectors._coded(1, sent.tobytes())
    exact = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    for asked in exact[:50]:
        best = set(np.argsort(-(exact @ asked))[:20].tolist())
        near = known.near(asked, known.keys, 60, edited=np.empty(0, np.int32))
        assert near is not None
        assert best <= set(near.tolist())
