"""What an editor did to a chunk stays when its document is read again, as long as the document says the same there."""

import pytest

from ingestion.errors import ChunksEdited
from ingestion.index.writing import replace_document
from ingestion.jobs import run_job
from ingestion.models import Chunk, ChunkEmbedding, Collection, Document, Posting
from ingestion.services.chunks import edit_chunk, revert_chunk, set_chunk_enabled
from ingestion.services.documents import reindex_document
from ingestion.services.editing import edit_document
from tests.conftest import AddDocument

SAYS = {"Dodatek": "Dodatek wynosi pięć procent.", "Urlop": "Urlop trwa 20 dni.", "Zasiłek": "Zasiłek trwa rok."}
TEXT = "".join(
    f"# {heading}\n\n{says}\n\n" + f"O sprawie {heading} rozstrzyga dyrektor po wysłuchaniu stron. " * 40 + "\n\n"
    for heading, says in SAYS.items()
)


@pytest.fixture
def document(public: Collection, index: AddDocument) -> Document:
    document = index(public, TEXT, name="a.md")
    bonus, leave = document.chunks.get(text__contains="pięć procent"), document.chunks.get(text__contains="20 dni")
    edit_chunk(chunk=bonus, text="Premia wynosi sześć procent.")
    set_chunk_enabled(chunk=leave, enabled=False)
    return document


def chunks(document: Document) -> list[tuple[str, bool, bool]]:
    """Of each: its text, whether it is edited, whether it is searched."""
    return [(chunk.text, chunk.edited, chunk.enabled) for chunk in document.chunks.order_by("ordinal")]


def read_again(document: Document) -> None:
    before = set(document.chunks.values_list("pk", flat=True))
    run_job(str(reindex_document(document=document).pk))
    assert not before & set(document.chunks.values_list("pk", flat=True))


def test_reading_again_keeps_edited_and_disabled_chunks(document: Document) -> None:
    before = chunks(document)
    assert sum(edited for _, edited, _ in before) == sum(not enabled for _, _, enabled in before) == 1
    edit_document(document=document, changes={"title": "Nowy tytuł"})
    read_again(document)
    assert chunks(document) == before
    bonus, leave = document.chunks.exclude(original_text="").get(), document.chunks.get(enabled=False)
    assert Posting.objects.filter(chunk=bonus, term__text="premia").exists()
    assert not Posting.objects.filter(chunk=leave).exists()
    assert not ChunkEmbedding.objects.filter(chunk=leave).exists()
    revert_chunk(chunk=bonus)
    assert "pięć procent" in bonus.text


def test_a_new_version_keeps_them_where_it_says_the_same(
    document: Document, public: Collection, index: AddDocument
) -> None:
    index(public, TEXT.replace("Zasiłek trwa", "Zasiłek nie trwa"), name="a.md")
    assert document.chunks.filter(text__contains="nie trwa").exists()
    assert document.chunks.exclude(original_text="").get().text == "Premia wynosi sześć procent."
    assert "20 dni" in document.chunks.get(enabled=False).text
    index(public, TEXT.replace("pięć procent", "siedem procent"), name="a.md")
    assert not document.chunks.exclude(original_text="").exists()
    assert "20 dni" in document.chunks.get(enabled=False).text


def test_an_edit_while_the_document_is_read_is_not_overwritten(document: Document) -> None:
    """What was read knows nothing of it."""
    before = Chunk.objects.count()
    with pytest.raises(ChunksEdited):
        replace_document(document, [], edits=[])
    assert Chunk.objects.count() == before
    assert Document.objects.get(pk=document.pk).status == "ready"
