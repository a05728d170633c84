"""Documents beside an answer: what belongs to its sources and is none of them."""

from copy import copy
from datetime import date

import numpy as np
import pytest

from ingestion.models import ChunkEmbedding, Collection, Document, EmbeddingSpace
from ingestion.services.chunks import set_chunk_enabled
from ingestion.services.documents import archive_document
from rag.question import Question
from rag.search.related.documents import related_documents
from rag.types import Citation, Filters, RelatedDocument
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept

CITED = "Kartę Dużej Rodziny wydaje Referat Spraw Obywatelskich."
SHARING = "Bilety na basen: zniżka, którą daje Karta Dużej Rodziny, wynosi połowę ceny."
OTHER = "Sklep w Radomiu prowadzi Anna Nowak."


@pytest.fixture(scope="module")
def kept_cited(kept_rows: Kept) -> Document:
    with kept_rows.writing():
        return index_text(make_public(), CITED, name="karta.txt", title="Zniżki")


@pytest.fixture
def cited(kept_cited: Document, db: None) -> Document:
    return copy(kept_cited)


def cite(document: Document) -> Citation:
    chunk = document.chunks.order_by("ordinal")[0]
    return Citation(
        number=1, chunk_id=chunk.pk, document_id=document.pk, title="", uri="", quote="", start=0, end=1, line_start=1,
        line_end=1,
    )  # fmt: skip


def beside(
    *cited: Document,
    collections: list[Collection],
    filters: Filters = Filters(),  # noqa: B008
    most: int = 3,
    space: EmbeddingSpace | None = None,
) -> tuple[RelatedDocument, ...]:
    question = Question(text="?", language="pl", collections=collections, filters=filters, top_k=10)
    return related_documents(question, [cite(one) for one in cited], most=most, space=space)


def test_a_document_with_a_name_of_what_is_cited_is_named_with_it(
    cited: Document, public: Collection, index: AddDocument
) -> None:
    other = index(public, SHARING, name="basen.txt", title="Basen")
    index(public, OTHER, name="sklep.txt")
    (found,) = beside(cited, collections=[public])
    assert (found.document_id, found.title, found.collection_name) == (other.pk, "Basen", "Publiczna")
    assert found.names == ("Karta Dużej Rodziny",)
    assert found.url == f"/documents/{other.pk}/"


def test_the_more_telling_the_shared_names_the_earlier(cited: Document, public: Collection, index: AddDocument) -> None:
    for number in range(4):
        index(public, f"Zdanie {number}. Wniosek przyjmuje Referat Spraw Obywatelskich.", name=f"{number}.txt")
    rare = index(public, SHARING, name="rzadki.txt", title="Rzadki")
    text = "Wniosek, po którym przychodzi Karta Dużej Rodziny, przyjmuje Referat Spraw Obywatelskich."
    both = index(public, text, name="oba.txt", title="Oba")
    found = beside(cited, collections=[public])
    assert [one.document_id for one in found][:2] == [both.pk, rare.pk]
    assert found[0].names == ("Karta Dużej Rodziny", "Referat Spraw Obywatelskich")
    assert len(found) == 3
    assert len(beside(cited, collections=[public], most=1)) == 1
    assert beside(cited, collections=[public], most=0) == ()


def test_what_nearly_every_text_names_tells_nothing(public: Collection, index: AddDocument) -> None:
    first, *_ = [
        index(public, f"Sprawa numer {number}: decyzję wydaje Burmistrz Miasta Lipowo.", name=f"{number}.txt")
        for number in range(12)
    ]
    assert beside(first, collections=[public]) == ()


def test_documents_outside_what_the_reader_may_search_are_never_named(
    cited: Document, public: Collection, restricted: Collection, index: AddDocument
) -> None:
    closed = index(restricted, SHARING, name="tajny.txt")
    assert beside(cited, collections=[public]) == ()
    assert [one.document_id for one in beside(cited, collections=[public, restricted])] == [closed.pk]


def test_names_are_given_as_the_readers_own_sources_write_them(
    public: Collection, restricted: Collection, index: AddDocument
) -> None:
    index(restricted, "Karta Dużej Rodziny.", name="tajny.txt")
    first = index(public, "O Karcie Dużej Rodziny.", name="a.txt")
    index(public, "Z Kartą Dużej Rodziny taniej.", name="b.txt")
    (found,) = beside(first, collections=[public])
    assert found.names == ("Karcie Dużej Rodziny",)


def test_archived_expired_filtered_and_disabled_documents_are_never_named(
    cited: Document, public: Collection, index: AddDocument
) -> None:
    archive_document(document=index(public, SHARING, name="a.txt"))
    index(public, f"Dawniej. {SHARING}", name="b.txt", valid_to=date(2020, 1, 1))
    set_chunk_enabled(chunk=index(public, f"Wyłączone. {SHARING}", name="c.txt").chunks.get(), enabled=False)
    assert beside(cited, collections=[public]) == ()
    assert beside(cited, collections=[public], filters=Filters(include_expired=True)) == ()
    index(public, f"Regulamin. {SHARING}", name="d.txt", category="regulamin")
    assert len(beside(cited, collections=[public])) == 1
    assert beside(cited, collections=[public], filters=Filters(categories=("umowa",))) == ()


def test_copies_of_what_is_cited_and_of_each_other_are_left_out(
    cited: Document, public: Collection, index: AddDocument
) -> None:
    index(public, f"{CITED} ", name="kopia.txt")
    index(public, SHARING, name="basen.txt")
    index(public, f"{SHARING}\n", name="kopia-basenu.txt")
    assert len(beside(cited, collections=[public])) == 1


def test_web_pages_and_answers_without_sources_have_none(public: Collection) -> None:
    assert beside(collections=[public]) == ()


def test_titles_and_names_are_covered_where_the_collection_says_so(
    cited: Document, public: Collection, index: AddDocument
) -> None:
    index(public, SHARING, name="b.txt", title="Basen, jan.kowalski@example.pl")
    public.mask_personal_data = True
    (found,) = beside(cited, collections=[public])
    assert found.title.startswith("Basen, •••")


@pytest.fixture
def space(cited: Document, public: Collection, index: AddDocument) -> EmbeddingSpace:
    """The cited document and one near to it, without a common name, before a background of ten at a cosine of 0.7."""
    space = EmbeddingSpace.objects.create(name="mala", embedder="none", model="none", dimension=3, status="retired")
    far = [index(public, f"Zdanie o niczym, {number}.", name=f"{number}.txt") for number in range(10)]
    vectors = {document: (0.7, 0.714, 0.01 * number) for number, document in enumerate(far)}
    vectors |= {cited: (1.0, 0.0, 0.0), index(public, OTHER, name="blisko.txt", title="Blisko"): (0.95, 0.3, 0.0)}
    ChunkEmbedding.objects.bulk_create(
        ChunkEmbedding(space=space, chunk=document.chunks.get(), embedding=np.array(vector, dtype=np.float32))
        for document, vector in vectors.items()
    )
    return space


def test_what_stands_out_as_near_is_named_without_a_common_name(
    cited: Document, public: Collection, space: EmbeddingSpace
) -> None:
    (found,) = beside(cited, collections=[public], space=space)
    assert (found.title, found.names, found.near) == ("Blisko", (), True)


def test_the_background_is_near_to_nothing(cited: Document, public: Collection, space: EmbeddingSpace) -> None:
    archive_document(document=Document.objects.get(title="Blisko"))
    assert beside(cited, collections=[public], space=space) == ()


def test_the_space_says_how_much_nearness_counts(
    cited: Document, public: Collection, space: EmbeddingSpace, index: AddDocument
) -> None:
    index(public, SHARING, name="basen.txt", title="Basen")
    for weight, first in ((0.1, "Basen"), (0.9, "Blisko")):
        space.fusion = {"dense_weight": weight}
        assert beside(cited, collections=[public], space=space)[0].title == first
