"""An edited chunk is found by its new words alone, and can be taken back to what the document says."""

from copy import copy

import pytest

from ingestion.errors import IngestionError
from ingestion.index.duplicates import similar_chunks
from ingestion.models import Chunk, Collection, Posting
from ingestion.services.chunks import edit_chunk, revert_chunk, set_chunk_enabled
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept


@pytest.fixture(scope="module")
def kept_chunk(kept_rows: Kept) -> Chunk:
    with kept_rows.writing():
        return index_text(make_public(), "# Dodatek\n\nDodatek stażowy wynosi pięć procent pensji.\n").chunks.get()


@pytest.fixture
def chunk(kept_chunk: Chunk, db: None) -> Chunk:
    return copy(kept_chunk)


def words(chunk: Chunk) -> set[str]:
    return set(Posting.objects.filter(chunk=chunk).values_list("term__text", flat=True))


def test_the_original_is_kept_through_several_edits_and_comes_back(chunk: Chunk) -> None:
    says, found_by = chunk.text, words(chunk)
    edit_chunk(chunk=chunk, text="Premia wynosi sześć procent.")
    edit_chunk(chunk=chunk, text="Premia wynosi siedem procent.")
    chunk.refresh_from_db()
    assert (chunk.edited, chunk.original_text) == (True, says)
    assert "premia" in words(chunk)
    assert "pensji" not in words(chunk)
    revert_chunk(chunk=chunk)
    chunk.refresh_from_db()
    assert (chunk.text, chunk.edited, words(chunk)) == (says, False, found_by)


def test_typing_the_original_again_is_no_edit(chunk: Chunk) -> None:
    says = chunk.text
    edit_chunk(chunk=chunk, text="Coś innego.")
    edit_chunk(chunk=chunk, text=says)
    assert not Chunk.objects.get().edited
    with pytest.raises(IngestionError):
        revert_chunk(chunk=chunk)


def test_switching_off_leaves_the_mark_of_the_edit(chunk: Chunk) -> None:
    edit_chunk(chunk=chunk, text="Premia.", enabled=False)
    assert words(chunk) == set()
    set_chunk_enabled(chunk=Chunk.objects.get(), enabled=True)
    assert Chunk.objects.get().edited
    assert "premia" in words(chunk)


def test_an_edited_chunk_is_compared_by_its_new_words(chunk: Chunk, public: Collection, index: AddDocument) -> None:
    other = index(public, "# Dodatek\n\nDodatek stażowy wynosi pięć procent pensji.\n", name="kopia.md").chunks.get()
    assert similar_chunks(chunk) == {other.pk: 1.0}
    edit_chunk(chunk=chunk, text="Premia uznaniowa należy się wyłącznie pracownikom archiwum zakładowego.")
    assert similar_chunks(chunk) == {}


def test_a_word_that_stands_more_often_than_a_posting_can_count_is_found_all_the_same(chunk: Chunk) -> None:
    edit_chunk(chunk=chunk, text="premia " * 40_000)
    posting = Posting.objects.get(chunk=chunk, term__text="premia")
    assert (posting.lemma_count, posting.form_count) == (32_767, 32_767)
    assert posting.length > 40_000
