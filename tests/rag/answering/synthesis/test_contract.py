"""All synthesizers keep the contract."""

from collections.abc import Iterator

import pytest

from rag.answering.synthesis.compact import CompactSynthesizer
from rag.answering.synthesis.extractive import ExtractiveSynthesizer
from rag.answering.synthesis.protocol import Synthesizer
from rag.answering.synthesis.refine import RefineSynthesizer
from rag.answering.synthesis.tree import TreeSynthesizer
from rag.llm.messages.messages_model import MessagesModel
from tests.messages_server import Located, MessagesServer, Turn
from tests.rag.answering.synthesis.contract import SynthesizerContract

NUMBERED = Turn(pieces=("Przysługuje ", "26 dni [", "2], na żądanie 4 [3][2]."))
QUOTED = (
    "Przysługuje 26 dni",
    Located(
        search_result_index=1,
        cited_text="Pracownikowi przysługuje 26 dni urlopu. ",
    ),
    ". Na żądanie: 4.",
    Located(search_result_index=2, cited_text="Urlop na żądanie to 4 dni w roku."),
)


def claude(server: MessagesServer, *, locates: bool) -> MessagesModel:
    return MessagesModel(api_key="klucz", base_url=server.url, model="test-model", max_retries=0, locates=locates)


class TestExtractive(SynthesizerContract):
    @pytest.fixture
    def synthesizer(self) -> Synthesizer:
        return ExtractiveSynthesizer()


class TestCompactWithNumbers(SynthesizerContract):
    @pytest.fixture
    def synthesizer(self) -> Iterator[Synthesizer]:
        with MessagesServer(NUMBERED) as server:
            yield CompactSynthesizer(llm=claude(server, locates=False))


class TestCompactWithLocatedQuotes(SynthesizerContract):
    @pytest.fixture
    def synthesizer(self) -> Iterator[Synthesizer]:
        with MessagesServer(Turn(pieces=QUOTED)) as server:
            yield CompactSynthesizer(llm=claude(server, locates=True))


class TestRefine(SynthesizerContract):
    @pytest.fixture
    def synthesizer(self) -> Iterator[Synthesizer]:
        with MessagesServer(NUMBERED) as server:
            llm = claude(server, locates=True)
            yield RefineSynthesizer(llm=llm, source_tokens=120)


class TestTree(SynthesizerContract):
    @pytest.fixture
    def synthesizer(self) -> Iterator[Synthesizer]:
        with MessagesServer(NUMBERED) as server:
            yield TreeSynthesizer(llm=claude(server, locates=True))
