"""Two texts of one document in one ranking."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.models import Collection, Document
from rag.search.stages.extractors import fused_texts
from rag.types import Passage
from tests.conftest import AddDocument
from tests.ingestion.reading.pdf_files import paragraph, pdf
from tests.rag.search.conftest import Search

RULE = ["Wniosek o zwrot opłaty składa się w terminie czternastu dni od dnia wpłaty.", "Decyzję wydaje kierownik."]


def passage(chunk: int, text: str = "", *, second: bool = False, document: int = 1) -> Passage:
    return Passage(
        chunk_id=chunk,
        document_id=document,
        collection="publiczna",
        title="Regulamin",
        uri="a.pdf",
        media_type="application/pdf",
        text=text or f"zdanie numer {chunk}",
        start=0,
        end=10,
        line_start=1,
        line_end=1,
        second=second,
    )


def keys(passages: list[Passage]) -> list[int]:
    return [one.chunk_id for one in passages]


def test_what_both_texts_say_is_shown_once_and_rises() -> None:
    ranking = [passage(1), passage(2, "termin wynosi 14 dni"), passage(3, "Termin wynosi 14 dni.", second=True)]
    fused, merged = fused_texts(ranking, weight=0.45)
    assert (keys(fused), merged) == ([2, 1], 1)
    assert fused[0].explanation.alike == (3,)


def test_a_number_that_only_the_second_text_has_is_not_lost() -> None:
    ranking = [passage(1, "termin wynosi 14 dni"), passage(2, "termin wynosi 30 dni", second=True)]
    assert sorted(keys(fused_texts(ranking, weight=0.45)[0])) == [1, 2]


def test_the_same_words_of_another_document_are_no_twin() -> None:
    ranking = [passage(1, "termin wynosi 14 dni"), passage(2, "termin wynosi 14 dni", second=True, document=2)]
    assert sorted(keys(fused_texts(ranking, weight=0.45)[0])) == [1, 2]


def test_the_weight_decides_between_the_texts() -> None:
    ranking = [passage(1), passage(2, "inne słowa", second=True)]
    assert keys(fused_texts(ranking, weight=0.45)[0]) == [1, 2]
    assert keys(fused_texts(ranking, weight=0.6)[0]) == [2, 1]


@given(st.lists(st.booleans(), max_size=30), st.floats(0, 1))
def test_each_passage_stays_or_stands_under_another(marks: list[bool], weight: float) -> None:
    ranking = [passage(number, f"słowo {number % 5}", second=mark) for number, mark in enumerate(marks)]
    fused, merged = fused_texts(ranking, weight=weight)
    assert len(fused) + merged == len(ranking)
    under = [chunk for one in fused for chunk in one.explanation.alike]
    assert sorted(keys(fused) + under) == sorted(keys(ranking))


class TestIndexed:
    @pytest.fixture
    def document(self, public: Collection, index: AddDocument, settings: Any) -> Document:
        pytest.importorskip("pdfplumber", reason="the extra `dual` is not installed")
        ingestion = {**settings.RAG["ingestion"], "second_pdf_extractor": "pdfplumber"}
        settings.RAG = {**settings.RAG, "ingestion": ingestion}
        return index(public, pdf([paragraph(RULE)]), name="regulamin.pdf")

    def test_both_texts_are_indexed_and_a_search_shows_the_passage_once(
        self, document: Document, searching: Search
    ) -> None:
        assert list(document.extractions.order_by("pk").values_list("extractor", flat=True)) == ["pdf", "pdfplumber"]
        assert document.chunk_count == document.chunks.count() == 2
        result = searching("termin złożenia wniosku o zwrot opłaty")
        (found,) = result.passages
        assert (found.extractor, found.second, len(found.explanation.alike)) == ("pdf", False, 1)
        assert [entry.stage for entry in result.trace if entry.applied][:1] == ["extractors"]

    def test_a_base_with_one_text_a_document_is_ranked_as_ever(
        self, public: Collection, index: AddDocument, searching: Search
    ) -> None:
        for number in range(5):
            index(public, f"Opłata numer {number} wynosi {number} zł. " * (number + 1), name=f"{number}.txt")
        one, other = (searching("ile wynosi opłata", second_weight=weight) for weight in (0.0, 1.0))
        assert one.passages == other.passages
        assert not [entry for entry in one.trace if entry.stage == "extractors"]
