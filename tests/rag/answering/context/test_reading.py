"""What a model is given to read of what was found, in documents that are really indexed."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from django.contrib.auth.models import AnonymousUser

from ingestion.models import Chunk, Collection, Extraction
from rag.answering.context import read_around
from rag.services.search import search_passages
from rag.types import Passage
from tests.conftest import AddDocument

Read = Callable[..., list[Passage]]
LONG = " ".join(f"Postanowienie numer {number} mówi o rzadkim przypadku." for number in range(40))
RULES = f"""# Regulamin

## Faktury

Wydatek zatwierdza:

| Kwota | Zatwierdza |
| --- | --- |
| do 5 000 zł | kierownik referatu |
| powyżej 5 000 zł | sekretarz |

## Delegacje

Delegację rozlicza się w kasie. {LONG}

## Urlopy

Urlopu udziela kierownik. {LONG}
"""


@pytest.fixture
def read(public: Collection) -> Read:
    def of(question: str, *, characters: int = 24_000, top_k: int = 10) -> list[Passage]:
        found = search_passages(query=question, viewer=AnonymousUser(), top_k=top_k).passages
        assert found
        return read_around(found, collections=[public], characters=characters)

    return of


def test_a_small_document_is_read_whole(public: Collection, index: AddDocument, read: Read) -> None:
    index(public, "# Kasa\n\nKasa czynna do 15:00.\n\n## Wpłaty\n\nWpłaty kartą.\n", name="kasa.md")
    (only,) = read("kasa")
    assert only.text == Extraction.objects.get().text.strip()


def test_a_piece_is_the_documents_own_text_in_its_lines(public: Collection, index: AddDocument, read: Read) -> None:
    index(public, RULES, name="regulamin.md")
    text = Extraction.objects.get().text
    for piece in read("kto zatwierdza wydatek powyżej 5 000 zł", characters=3_000):
        assert text[piece.start : piece.end] == piece.text
        assert piece.line_start == text.count("\n", 0, piece.start) + 1
        assert piece.line_end == text.count("\n", 0, piece.end - 1) + 1


def test_a_table_comes_whole_under_the_heading_of_the_document(
    public: Collection, index: AddDocument, read: Read
) -> None:
    index(public, RULES, name="regulamin.md")
    first = read("kto zatwierdza wydatek powyżej 5 000 zł", characters=1_500, top_k=1)[0]
    assert "| Kwota | Zatwierdza |\n| --- | --- |\n| do 5 000 zł | kierownik referatu |" in first.text
    assert "## Faktury" in first.text
    assert first.heading_path == ("Regulamin",)


def test_pieces_stay_within_the_budget_and_do_not_overlap(public: Collection, index: AddDocument, read: Read) -> None:
    for number in range(5):
        index(public, RULES.replace("Regulamin", f"Regulamin {number}"), name=f"regulamin-{number}.md")
    pieces = read("kto udziela urlopu i gdzie rozlicza się delegację", characters=9_000)
    assert sum(len(piece.text) for piece in pieces) <= 9_000
    assert len({piece.document_id for piece in pieces}) > 1
    for document in {piece.document_id for piece in pieces}:
        own = [piece for piece in pieces if piece.document_id == document]
        assert own == sorted(own, key=lambda piece: piece.start)
        assert all(one.end <= other.start for one, other in pairwise(own))


def test_the_first_passage_is_read_however_small_the_budget(public: Collection, index: AddDocument, read: Read) -> None:
    index(public, RULES, name="regulamin.md")
    assert read("kto udziela urlopu", characters=10)


def test_what_was_switched_off_is_not_read(public: Collection, index: AddDocument, read: Read) -> None:
    index(public, RULES, name="regulamin.md")
    Chunk.objects.filter(text__contains="Delegację rozlicza").update(enabled=False)
    assert not any("Delegację rozlicza" in piece.text for piece in read("kto zatwierdza wydatek i udziela urlopu"))


def test_what_an_editor_changed_is_read_as_it_is_now_and_alone(
    public: Collection, index: AddDocument, read: Read
) -> None:
    index(public, RULES, name="regulamin.md")
    chunk = Chunk.objects.get(text__contains="Wydatek zatwierdza")
    Chunk.objects.filter(pk=chunk.pk).update(text="Wydatek zatwierdza burmistrz.")
    pieces = [piece for piece in read("kto zatwierdza wydatek") if piece.chunk_id == chunk.pk]
    assert [piece.text for piece in pieces] == ["Wydatek zatwierdza burmistrz."]
    assert not any("kierownik referatu" in piece.text for piece in read("kto zatwierdza wydatek"))


def test_personal_data_around_a_passage_are_covered(public: Collection, index: AddDocument, read: Read) -> None:
    public.mask_personal_data = True
    index(public, "# Kasa\n\nKasa czynna do 15:00.\n\n## Kierownik\n\nPESEL 44051401359.\n", name="kasa.md")
    (only,) = read("kasa czynna")
    assert "Kierownik" in only.text
    assert "44051401359" not in only.text


def test_every_chunk_that_is_read_can_be_cited_at_its_place(public: Collection, index: AddDocument, read: Read) -> None:
    index(public, RULES, name="regulamin.md")
    pieces = read("kto zatwierdza wydatek")
    places = {place.chunk_id for piece in pieces for place in piece.places}
    covered = Chunk.objects.filter(pk__in=places)
    assert covered.count() == len(places)
    assert all(any(piece.start <= chunk.start < piece.end for piece in pieces) for chunk in covered)


def test_filler_is_left_out_behind_the_best_passages(public: Collection, index: AddDocument) -> None:
    index(public, RULES, name="regulamin.md")
    found = search_passages(query="kto udziela urlopu", viewer=AnonymousUser(), top_k=1).passages[0]
    weak = [replace(found, chunk_id=0, document_id=0, uri=f"https://x.example/{n}", relevance=0.01) for n in range(9)]
    read = read_around([replace(found, relevance=0.9), *weak], collections=[public], characters=50_000)
    assert sum(piece.document_id == 0 for piece in read) == 5
