"""Near-duplicates are noted when a document is indexed, from both sides."""

from copy import copy

import pytest

from ingestion.index.duplicates import note_similar_documents, similar_chunks
from ingestion.index.vocabulary import last_erasure
from ingestion.models import ChunkSketch, Collection, Document, DocumentSketch, PersonalData, SimilarDocument
from ingestion.services.documents import archive_document
from ingestion.services.findings import refresh_findings
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept

RULES = [
    f"Paragraf {n}. Pracownik numer {n} działu {chr(97 + n)} składa wniosek {n} do kierownika jednostki "
    f"nie później niż {n + 3} dni przed terminem, a odmowa numer {n} wymaga uzasadnienia na piśmie."
    for n in range(12)
]


def rules(*, without: int | None = None, year: int = 2023) -> str:
    kept = [rule for number, rule in enumerate(RULES) if number != without]
    return f"# Regulamin {year}\n\n" + "\n\n".join(kept) + "\n"


@pytest.fixture(scope="module")
def kept_first(kept_rows: Kept) -> Document:
    with kept_rows.writing():
        public = make_public()
        index_text(
            public, "# Cennik\n\nParking strzeżony kosztuje dwa złote za godzinę w dni robocze.\n", name="cennik.md"
        )
        return index_text(public, rules(), name="regulamin-2023.md", title="Regulamin 2023")


@pytest.fixture
def first(kept_first: Document, db: None) -> Document:
    return copy(kept_first)


def test_an_edited_copy_is_noted_from_both_sides(first: Document, public: Collection, index: AddDocument) -> None:
    copy = index(public, rules(without=5, year=2024), name="regulamin-2024.md")
    [pair] = first.similar.all()
    assert pair.other == copy
    assert 85 <= pair.percent < 100
    assert [(row.document_id, row.other_id) for row in copy.similar.all()] == [(copy.pk, first.pk)]
    assert SimilarDocument.objects.count() == 2


def test_what_is_replaced_by_another_text_is_not_alike_any_more(
    first: Document, public: Collection, index: AddDocument
) -> None:
    index(public, rules(without=5), name="kopia.md")
    index(public, "# Inny\n\nZupełnie inna treść o kosiarkach i trawnikach miejskich.\n", name="kopia.md")
    assert not SimilarDocument.objects.exists()


def test_identical_chunks_are_found_by_their_sketch(first: Document, public: Collection, index: AddDocument) -> None:
    copy = index(public, rules(), name="drugi-raz.md", title="Regulamin 2023")
    for chunk, same in zip(first.chunks.order_by("ordinal"), copy.chunks.order_by("ordinal"), strict=True):
        assert similar_chunks(chunk)[same.pk] == 1.0
    assert first.similar.get().percent == 100


def test_an_archived_document_is_alike_to_nothing(first: Document, public: Collection, index: AddDocument) -> None:
    copy = index(public, rules(without=5), name="kopia.md")
    archive_document(document=copy)
    assert not SimilarDocument.objects.exists()
    assert not ChunkSketch.objects.filter(chunk__document=copy).exists()


def test_noting_twice_writes_once(first: Document, public: Collection, index: AddDocument) -> None:
    copy = index(public, rules(without=5), name="kopia.md")
    assert note_similar_documents(copy) == note_similar_documents(first) == 1
    assert SimilarDocument.objects.count() == 2


def test_before_the_first_erasure_there_is_none(db: None) -> None:
    assert last_erasure() == 0


def test_documents_of_an_older_release_are_looked_through_once(
    first: Document, public: Collection, index: AddDocument
) -> None:
    index(public, rules(without=5) + "\ntel. 22 123 45 67\n", name="kopia.md")
    SimilarDocument.objects.all().delete()
    DocumentSketch.objects.all().delete()
    PersonalData.objects.all().delete()
    assert refresh_findings() == 3
    assert first.similar.count() == PersonalData.objects.count() == 1
    assert refresh_findings() == 0
    assert refresh_findings(missing_only=False) == 3
    assert first.similar.count() == PersonalData.objects.count() == 1
