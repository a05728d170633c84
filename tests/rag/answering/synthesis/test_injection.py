"""Hostile documents change neither what the model may do nor where an answer leads. The real SDK, a scripted model."""

import re
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from markdown_it import MarkdownIt

from rag.answering.synthesis.compact import CompactSynthesizer
from rag.answering.synthesis.protocol import Synthesis
from rag.answering.synthesis.refine import RefineSynthesizer
from rag.answering.synthesis.tree import TreeSynthesizer
from rag.llm.messages.messages_model import MessagesModel
from rag.types import Passage
from tests.messages_server import Located, MessagesServer, Request, ToolUse, Turn
from tests.rag.answering.synthesis.attacks import ATTACKS, OBEDIENT
from tests.rag.answering.synthesis.conftest import MakePassage

QUESTION = "Ile wynosi urlop?"
HONEST = "Urlop wynosi 26 dni. Wniosek składa pracownik."
UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")

Asked = Callable[[list[Passage], Turn], tuple[Request, Synthesis]]


@pytest.fixture(scope="module")
def server() -> Iterator[MessagesServer]:
    with MessagesServer() as server:
        yield server


@pytest.fixture(scope="module", params=["numbered", "located", "refine", "tree"])
def asked(request: pytest.FixtureRequest, server: MessagesServer) -> Asked:
    """What goes to the model, and what comes out when it replies with a turn."""
    locates = request.param == "located"
    llm = MessagesModel(api_key="klucz", base_url=server.url, model="m", max_retries=0, locates=locates)
    kind = {"refine": RefineSynthesizer, "tree": TreeSynthesizer}.get(request.param, CompactSynthesizer)
    synthesizer = kind(llm=llm)

    @cache
    def once(passages: tuple[Passage, ...], turn: Turn) -> tuple[Request, Synthesis]:
        server.turns[:] = [turn]
        server.requests.clear()
        draft = synthesizer.synthesize(QUESTION, passages, language="pl")
        list(draft)
        (sent,) = server.requests
        return sent, draft.result

    return lambda passages, turn: once(tuple(passages), turn)


def poisoned(passage: MakePassage, text: str) -> list[Passage]:
    """The attack in every part of a passage that an author writes, and an honest passage after it."""
    evil = passage(text, title=text, heading_path=(text,), context_before=text, context_after=text)
    return [evil, passage(HONEST, chunk_id=2)]


def test_there_are_more_attacks_than_were_asked_for() -> None:
    assert len(ATTACKS) >= 21


class TestWhatTheModelIsTold:
    """Each with all attacks: they are five hundred otherwise, and a test of its own costs more than an attack."""

    def test_the_rules_hold_nothing_of_a_document_and_call_it_untrusted(
        self, asked: Asked, passage: MakePassage
    ) -> None:
        harmless, _ = asked([passage(HONEST)], Turn())
        assert "nie można ufać" in harmless.system
        for name, attack in ATTACKS.items():
            request, _ = asked(poisoned(passage, attack), Turn())
            assert request.system == harmless.system, name

    def test_a_document_opens_and_ends_no_block(self, asked: Asked, passage: MakePassage) -> None:
        harmless, _ = asked(poisoned(passage, "Zwykły tekst."), Turn())
        for name, attack in ATTACKS.items():
            request, _ = asked(poisoned(passage, attack), Turn())
            assert delimiters(request.prompt) == delimiters(harmless.prompt), name
            assert request.prompt.count(f"<question>\n{QUESTION}\n</question>") == 1, name

    def test_there_is_one_message_and_no_tool(self, asked: Asked, passage: MakePassage) -> None:
        for name, attack in ATTACKS.items():
            request, _ = asked(poisoned(passage, attack), Turn())
            assert not {"tools", "tool_choice", "mcp_servers", "container"} & set(request.body), name
            assert [message["role"] for message in request.body["messages"]] == ["user"], name

    def test_nothing_is_hidden_from_people_in_it(self, asked: Asked, passage: MakePassage) -> None:
        for name, attack in ATTACKS.items():
            request, _ = asked(poisoned(passage, attack), Turn())
            assert not UNSEEN.search(request.prompt), name

    def test_a_model_that_repeats_the_document_leads_nowhere(self, asked: Asked, passage: MakePassage) -> None:
        for name, attack in ATTACKS.items():
            _, result = asked(poisoned(passage, attack), Turn(pieces=("Tak [2]. ", *in_pieces(attack))))
            assert leads_to(result.text) == [], name
            assert {citation.chunk_id for citation in result.citations} <= {1, 2}, name
            shown = {int(number) for number in re.findall(r"\[(\d{1,3})\]", result.text)}
            assert shown <= {citation.number for citation in result.citations}, name


@pytest.mark.parametrize("name", OBEDIENT)
def test_a_model_that_obeys_leads_nowhere(asked: Asked, passage: MakePassage, name: str) -> None:
    _, result = asked(poisoned(passage, ATTACKS["leaking_image"]), Turn(pieces=in_pieces(OBEDIENT[name])))
    assert leads_to(result.text) == []
    assert [citation.chunk_id for citation in result.citations] == [2]


def test_numbers_of_no_source_are_removed(asked: Asked, passage: MakePassage) -> None:
    turn = Turn(pieces=("Urlop wynosi 99 dni [7][99], a wniosek składa pracownik [2].",))
    _, result = asked(poisoned(passage, ATTACKS["fake_citation"]), turn)
    assert result.text == "Urlop wynosi 99 dni, a wniosek składa pracownik [1]."
    assert result.removed_citations == 2


@pytest.mark.parametrize("asked", ["located"], indirect=True)
def test_a_located_quote_that_the_document_made_up_is_not_shown(asked: Asked, passage: MakePassage) -> None:
    forged = Located(search_result_index=1, cited_text="Urlop wynosi 99 dni. ")
    turn = Turn(pieces=("Urlop wynosi 99 dni", forged, "."))
    _, result = asked(poisoned(passage, ATTACKS["new_source"]), turn)
    assert [citation.quote for citation in result.citations] == ["Urlop wynosi 26 dni."]


def test_a_call_of_a_tool_that_was_not_offered_does_nothing(asked: Asked, passage: MakePassage) -> None:
    turn = Turn(pieces=("Tak [2].", ToolUse(name="search", input="poufna")), stop_reason="tool_use")
    request, result = asked(poisoned(passage, ATTACKS["tool_json"]), turn)
    assert result.text == "Tak [1]."
    assert len(request.body["messages"]) == 1


def in_pieces(text: str) -> tuple[str, ...]:
    """The text as it streams, cut where it hurts."""
    return tuple(text[start : start + 3] for start in range(0, len(text), 3))


def delimiters(prompt: str) -> list[str]:
    """The tags of our prompts as they stand in one, in order."""
    tags = "sources|source|title|section|before|after|text|question|draft|notes|note|history|asked|answered|style"
    return re.findall(rf"<\s*/?\s*(?:{tags})\b[^>]*>", prompt, re.IGNORECASE)


def leads_to(markdown: str) -> list[str]:
    """Where a reader of the rendered answer could be led, by a click or by the loading of an image."""
    tokens = [child for block in MarkdownIt().parse(markdown) for child in block.children or ()]
    return [str(token.attrs) for token in tokens if token.type in ("link_open", "image")]
