from copy import copy

import pytest

from ingestion.models import Chunk, Collection, Document, Extraction
from rag.answering.synthesis.quotes import citation_from
from rag.search.reasons import exact_reasons
from rag.types import Passage
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept
from tests.rag.search.conftest import Search

FILLER = " ".join("Dalsze postanowienia omawiają rzadkie przypadki." for _ in range(24))  # no small section is merged

# One chunk a heading; the last stands in another part.
TEXT = f"""# Kadry

Wstęp do spraw pracowniczych. {FILLER}

## Urlop

Wniosek urlopowy trafia do przełożonego. Odpowiedź przychodzi po dwóch dniach. {FILLER}

## Delegacje

Rozliczenie delegacji składa się w kasie. {FILLER}

# Informatyka

## Hasła

Hasło zmienia się co kwartał. {FILLER}
"""


@pytest.fixture(scope="module")
def kept_document(kept_rows: Kept) -> Document:
    with kept_rows.writing():
        return index_text(make_public(), TEXT, name="regulamin.md", title="Regulamin")


@pytest.fixture
def document(kept_document: Document, db: None) -> Document:
    return copy(kept_document)


def chunk(heading: str) -> Chunk:
    return Chunk.objects.get(heading_path__contains=[heading], text__contains=f"# {heading}")


def only(passages: tuple[Passage, ...]) -> Passage:
    assert len(passages) == 1
    return passages[0]


class TestNeighbours:
    def test_a_passage_is_read_with_the_chunks_of_its_part_on_either_side(
        self, document: Document, searching: Search
    ) -> None:
        found = only(searching("wniosek urlopowy", neighbours=1).passages)
        assert "Wstęp" in found.text
        assert "delegacji" in found.text
        assert "Hasło" not in found.text
        assert found.heading_path == ("Kadry",)
        assert found.explanation.neighbours == (chunk("Kadry").pk, chunk("Delegacje").pk)
        assert any("2" in sentence for sentence in exact_reasons(found.explanation)[-1:])

    def test_the_text_stays_a_piece_of_the_document(self, document: Document, searching: Search) -> None:
        found = only(searching("wniosek urlopowy", neighbours=1).passages)
        text = Extraction.objects.get(document=document).text
        assert text[found.start : found.end] == found.text
        assert found.line_start == text.count("\n", 0, found.start) + 1
        assert found.line_end == text.count("\n", 0, found.end - 1) + 1
        assert found.context_before == chunk("Kadry").context_before
        assert found.context_after == chunk("Delegacje").context_after

    def test_a_quote_from_a_neighbour_is_cited_at_its_own_heading(self, document: Document, searching: Search) -> None:
        found = only(searching("wniosek urlopowy", neighbours=1).passages)
        quote = "Rozliczenie delegacji składa się w kasie."
        start = found.text.index(quote)
        citation = citation_from(found, number=1, quote_span=(start, start + len(quote)))
        assert citation.heading_path == ("Kadry", "Delegacje")
        assert citation.chunk_id == chunk("Delegacje").pk
        assert Extraction.objects.get(document=document).text[citation.start : citation.end] == quote

    def test_passages_that_grow_into_each_other_are_one(self, document: Document, searching: Search) -> None:
        question = "wniosek urlopowy delegacja"
        apart = searching(question).passages
        assert len(apart) == 2
        together = only(searching(question, neighbours=1).passages)
        assert together.chunk_id == apart[0].chunk_id
        assert apart[1].chunk_id in together.explanation.neighbours
        assert together.relevance == max(passage.relevance for passage in apart)

    def test_a_chunk_that_is_switched_off_is_neither_swallowed_nor_jumped(
        self, document: Document, searching: Search
    ) -> None:
        Chunk.objects.filter(pk=chunk("Delegacje").pk).update(enabled=False)
        found = only(searching("wstęp do spraw", neighbours=3).passages)
        assert "Wniosek" in found.text
        assert "delegacji" not in found.text

    def test_a_chunk_that_an_editor_changed_is_neither_swallowed_nor_extended(
        self, document: Document, searching: Search
    ) -> None:
        Chunk.objects.filter(pk=chunk("Delegacje").pk).update(text="## Delegacje\n\nKasa rozlicza delegacje.")
        found = only(searching("wniosek urlopowy", neighbours=2).passages)
        assert "delegacj" not in found.text
        changed = only(searching("rozliczenie delegacji", neighbours=2).passages)
        assert changed.text == "## Delegacje\n\nKasa rozlicza delegacje."
        assert changed.explanation.neighbours == ()

    def test_an_excluded_word_does_not_come_back_with_a_neighbour(self, document: Document, searching: Search) -> None:
        result = searching("wniosek urlopowy -delegacji", neighbours=1)
        assert "delegacji" not in only(result.passages).text
        assert [entry.applied for entry in result.trace if entry.stage == "neighbours"] == [False]

    def test_an_extended_passage_has_a_limit(self, public: Collection, index: AddDocument, searching: Search) -> None:
        words = " ".join(f"Słowo {number} o podatku." for number in range(1500))
        index(public, words, name="dlugi.txt", title="Długi")
        for found in searching("słowo o podatku", neighbours=5).passages:
            assert len(found.text) <= 4000

    def test_no_chunk_is_shown_twice(self, public: Collection, index: AddDocument, searching: Search) -> None:
        index(public, " ".join(f"Słowo {n} o podatku." for n in range(1500)), name="dlugi.txt", title="Długi")
        passages = searching("słowo o podatku", neighbours=1).passages
        shown = [place.chunk_id for passage in passages for place in passage.places]
        assert len(shown) > 3
        assert len(shown) == len(set(shown))
