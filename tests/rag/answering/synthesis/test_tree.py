"""Summaries of summaries: the real SDK against the local Messages API."""

from contextlib import closing
from dataclasses import replace

import pytest

from rag.answering.synthesis.refusal import REFUSAL
from rag.answering.synthesis.tree import TreeSynthesizer
from rag.errors import LLMUnavailable
from rag.llm.messages.messages_model import MessagesModel
from rag.types import Tokens
from tests.messages_server import BROKEN, MessagesServer, Request, Turn

LEFT = Turn(pieces=("Urlop wynosi 20 dni [1].",), input_tokens=10, output_tokens=1)
RIGHT = Turn(pieces=("Po dziesięciu latach 26 dni [5].",), input_tokens=20, output_tokens=2)
BOTH = Turn(pieces=("Urlop wynosi 20 dni [1], potem ", "26 dni [5]."), input_tokens=30, output_tokens=3)


@pytest.fixture(scope="session")
def passages(passage):
    texts = ["Urlop wynosi 20 dni.", "Wniosek składa pracownik.", "Zgodę daje dyrektor.", "Termin to 7 dni."]
    texts += ["Po dziesięciu latach urlop wynosi 26 dni.", "Regulamin obowiązuje od maja."]
    return [passage(text, chunk_id=number) for number, text in enumerate(texts, start=1)]


@pytest.fixture
def draft(passages):
    def draft(server: MessagesServer, sources=passages, seconds=10.0):
        llm = MessagesModel(api_key="klucz", base_url=server.url, model="test-model", max_retries=0)
        synthesizer = TreeSynthesizer(llm=llm, seconds=seconds)
        return synthesizer.synthesize("Ile wynosi urlop?", sources, language="pl")

    return draft


def scripted(*, left=LEFT, right=RIGHT, both=BOTH):
    def choose(request: Request) -> Turn:
        if "<notes>" in request.prompt:
            return both
        return left if '<source number="1">' in request.prompt else right

    server = MessagesServer()
    server.choose = choose
    return server


def test_partial_answers_of_four_passages_each_become_one(draft):
    with scripted() as server:
        answer = draft(server)
        list(answer)
    prompts = sorted((request.prompt for request in server.requests), key=lambda prompt: "<notes>" in prompt)
    assert sorted(prompt.count("<source number") for prompt in prompts[:2]) == [2, 4]
    assert "<note>\nUrlop wynosi 20 dni [1].\n</note>\n<note>\nPo dziesięciu latach 26 dni [5].\n</note>" in prompts[2]


def test_long_passages_make_shorter_batches_and_none_is_left_out(passage):
    long = [passage(f"Postanowienie {number} mówi o urlopie. " * 30, chunk_id=number) for number in range(1, 5)]
    with MessagesServer(LEFT) as server:
        llm = MessagesModel(api_key="klucz", base_url=server.url, model="test-model", max_retries=0)
        list(TreeSynthesizer(llm=llm, source_tokens=700).synthesize("Ile wynosi urlop?", long, language="pl"))
    shown = "".join(request.prompt for request in server.requests)
    assert all(f"Postanowienie {number}" in shown for number in range(1, 5))


def test_numbers_mean_the_same_passages_throughout(draft):
    with scripted() as server:
        answer = draft(server)
        list(answer)
    assert answer.result.text == "Urlop wynosi 20 dni [1], potem 26 dni [2]."
    assert [citation.chunk_id for citation in answer.result.citations] == [1, 5]
    assert answer.result.usage == Tokens(input=60, output=6)


def test_partial_answers_are_written_at_the_same_time(draft):
    with scripted(left=replace(LEFT, together=2), right=replace(RIGHT, together=2)) as server:
        list(draft(server, seconds=60.0))
    assert server.most_at_once == 2


def test_four_passages_are_answered_in_one_call(draft, passages):
    with MessagesServer(LEFT) as server:
        list(draft(server, sources=passages[:4]))
        assert len(server.requests) == 1


def test_a_single_partial_answer_needs_no_summary(draft):
    with scripted(left=Turn(pieces=(REFUSAL,))) as server:
        answer = draft(server)
        list(answer)
        assert len(server.requests) == 2
    assert answer.result.text == "Po dziesięciu latach 26 dni [1]."


def test_partial_answers_that_all_find_nothing_are_not_found(draft):
    with MessagesServer(Turn(pieces=(REFUSAL,))) as server:
        answer = draft(server)
        list(answer)
    assert not answer.result.found


@pytest.mark.parametrize("lost", [BROKEN, replace(LEFT, wait=30.0)])
def test_a_partial_answer_that_fails_or_is_late_is_left_out(draft, lost):
    with scripted(left=lost) as server:
        answer = draft(server, seconds=1.0)
        list(answer)
    assert answer.result.text == "Po dziesięciu latach 26 dni [1]."


@pytest.mark.parametrize("lost", [BROKEN, replace(LEFT, wait=30.0)])
def test_no_partial_answer_at_all_is_an_error(draft, lost):
    with MessagesServer(lost) as server, pytest.raises(LLMUnavailable):
        list(draft(server, seconds=0.5))


def test_leaving_while_they_are_written_ends_the_requests(draft):
    with MessagesServer(Turn(pieces=("słowo ",) * 500, pause=0.02)) as server:
        with closing(iter(draft(server))) as parts:
            assert next(parts) == ""
        assert server.abandoned.wait(timeout=60)
