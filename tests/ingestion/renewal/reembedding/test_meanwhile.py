"""A chunk changes while a space is filled: it has the vectors of its text in the end."""

from ingestion.models import Chunk, Collection, Document, EmbeddingSpace
from ingestion.renewal.reembedding.missing_vectors import is_full, missing_chunks
from ingestion.services.chunks import edit_chunk, set_chunk_enabled
from ingestion.services.documents import delete_document
from ingestion.services.spaces import create_space, pause_space, resume_space
from tests.conftest import AddDocument
from tests.ingestion.renewal.reembedding.interrupted import (
    assert_every_chunk_has_exactly_its_vectors,
    batch,
    meanwhile,
    new_space,
)


class TestMeanwhile:
    """What happens to a chunk between its being read and its vectors being written."""

    def test_an_edited_chunk_gets_the_vectors_of_its_new_text(self, five: list[Document]) -> None:
        space, chunk = new_space(), Chunk.objects.get(document=five[0])
        meanwhile(lambda: edit_chunk(chunk=chunk, text="coś zupełnie innego"))
        batch(space)
        assert_every_chunk_has_exactly_its_vectors(space)

    def test_a_chunk_edited_while_the_filling_was_paused_gets_no_vectors_of_its_old_text(
        self, five: list[Document]
    ) -> None:
        space, chunk = new_space(), Chunk.objects.get(document=five[0])

        def edit_in_a_pause() -> None:
            pause_space(space=space)
            edit_chunk(chunk=chunk, text="coś zupełnie innego")  # a space that is paused gets no vectors of it
            resume_space(space=space, queue=False)

        meanwhile(edit_in_a_pause)
        assert batch(space) == 4
        assert missing_chunks(space, limit=100) == [chunk.pk]
        batch(space)
        assert_every_chunk_has_exactly_its_vectors(space)

    def test_a_chunk_switched_off_gets_none(self, five: list[Document]) -> None:
        space, chunk = new_space(), Chunk.objects.get(document=five[0])
        meanwhile(lambda: set_chunk_enabled(chunk=chunk, enabled=False))
        assert batch(space) == 4
        assert_every_chunk_has_exactly_its_vectors(space)

    def test_a_deleted_document_leaves_no_vectors(self, five: list[Document]) -> None:
        space = new_space()
        meanwhile(lambda: delete_document(document=five[0]))
        assert batch(space) == 4
        assert_every_chunk_has_exactly_its_vectors(space)

    def test_a_replaced_document_has_its_new_vectors(
        self, five: list[Document], public: Collection, index: AddDocument
    ) -> None:
        space = new_space()
        meanwhile(lambda: index(public, "nowa treść dokumentu", name="0.txt"))
        batch(space)
        assert_every_chunk_has_exactly_its_vectors(space)

    def test_a_new_document_goes_to_both_spaces(
        self, five: list[Document], public: Collection, index: AddDocument
    ) -> None:
        space = new_space()
        batch(space)
        index(public, "nowy dokument", name="nowy.txt")
        assert is_full(space)
        assert_every_chunk_has_exactly_its_vectors(space)

    def test_a_space_that_comes_between_embedding_and_writing_is_filled_later(
        self, five: list[Document], public: Collection, index: AddDocument
    ) -> None:
        first = new_space()
        created: list[EmbeddingSpace] = []
        meanwhile(lambda: created.append(create_space(embedder="other", options={"dimension": 32}, queue=False)))
        index(public, "nowy dokument", name="nowy.txt")
        batch(first)
        [second] = created
        assert len(missing_chunks(second, limit=100)) == 6
        batch(second)
        assert_every_chunk_has_exactly_its_vectors(second)
