"""What every synthesizer promises, whatever it writes with."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator

import pytest

from rag.answering.synthesis.protocol import Synthesis, Synthesizer
from rag.question import Background, Turn
from rag.types import Citation, Passage
from tests.rag.answering.synthesis.conftest import MakePassage

QUESTION = "Ile dni urlopu przysługuje pracownikowi?"
BACKGROUND = Background(
    history=(Turn(question="Kto ma prawo do urlopu?", answer="Każdy pracownik [1]."),),
    instructions="Odpowiadaj krótko.",
    page="Strona działu kadr",
)


class SynthesizerContract(ABC):
    """Inherit it and give a `synthesizer` that answers from `passages`."""

    @pytest.fixture
    @abstractmethod
    def synthesizer(self) -> Synthesizer | Iterator[Synthesizer]: ...

    @pytest.fixture
    def passages(self, passage: MakePassage) -> list[Passage]:
        texts = [
            "Delegacja trwa do 30 dni. Zgodę daje dyrektor.",
            "Pracownikowi przysługuje 26 dni urlopu. Wniosek składa pracownik.",
            "Urlop na żądanie to 4 dni w roku.",
            "Regulamin obowiązuje od 1 maja.",
            "Po dziesięciu latach pracy urlop wynosi 26 dni.",
            "Urlop udziela się w dniach pracy pracownika.",
        ]
        return [passage(text, chunk_id=number, start=100 * number) for number, text in enumerate(texts, start=1)]

    def test_what_was_yielded_is_the_result(self, synthesizer: Synthesizer, passages: list[Passage]) -> None:
        parts, result = drafted(synthesizer, passages)
        assert result.found
        assert "".join(part for part in parts if isinstance(part, str)).strip() == result.text.strip()
        assert tuple(part for part in parts if isinstance(part, Citation)) == result.citations

    def test_citations_are_numbered_from_1_by_first_use_and_come_before_it(
        self, synthesizer: Synthesizer, passages: list[Passage]
    ) -> None:
        parts, result = drafted(synthesizer, passages)
        assert [citation.number for citation in result.citations] == list(range(1, len(result.citations) + 1))
        announced = 0
        for part in parts:
            if isinstance(part, Citation):
                announced = part.number
            else:
                assert all(int(number) <= announced for number in re.findall(r"\[(\d+)\]", part))

    def test_every_quote_stands_in_its_passage(self, synthesizer: Synthesizer, passages: list[Passage]) -> None:
        _, result = drafted(synthesizer, passages)
        by_chunk = {passage.chunk_id: passage for passage in passages}
        assert result.citations
        for citation in result.citations:
            source = by_chunk[citation.chunk_id]
            assert source.text[citation.start - source.start : citation.end - source.start] == citation.quote
            assert (citation.title, citation.uri) == (source.title, source.uri)

    def test_every_citation_is_used_and_every_number_has_one(
        self, synthesizer: Synthesizer, passages: list[Passage]
    ) -> None:
        _, result = drafted(synthesizer, passages)
        used = {int(number) for number in re.findall(r"\[(\d+)\]", result.text)}
        assert used == {citation.number for citation in result.citations}

    def test_without_passages_nothing_is_found(self, synthesizer: Synthesizer) -> None:
        parts, result = drafted(synthesizer, [])
        assert (parts, result.found, result.text, result.citations) == ([], False, "", ())
        assert result.passages_used == 0

    def test_the_passages_are_not_all_needed(self, synthesizer: Synthesizer, passages: list[Passage]) -> None:
        _, result = drafted(synthesizer, passages)
        assert 1 <= result.passages_used <= len(passages)

    def test_a_draft_may_be_left(self, synthesizer: Synthesizer, passages: list[Passage]) -> None:
        draft = synthesizer.synthesize(QUESTION, passages, language="pl")
        parts = iter(draft)
        next(parts)
        parts.close()
        assert draft.result.text in drafted(synthesizer, passages)[1].text


def drafted(synthesizer: Synthesizer, passages: list[Passage]) -> tuple[list[str | Citation], Synthesis]:
    """What came, without the empty texts by which a draft says that it goes on, and the result."""
    draft = synthesizer.synthesize(QUESTION, passages, language="pl", background=BACKGROUND)
    parts = [part for part in draft if part]
    return parts, draft.result
