"""The test server itself, as the SDK sees it: parts of the protocol that no other test uses yet."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx

from tests.messages_server import Located, MessagesServer, ToolUse, Turn, WebQuote, WebSearch

QUESTION = [{"role": "user", "content": "Ile?"}]


def client(server: MessagesServer) -> Any:
    from anthropic import Anthropic

    return Anthropic(api_key="klucz", base_url=server.url, max_retries=0)


def test_a_request_without_streaming_gets_one_message():
    with MessagesServer(Turn(pieces=("Tak ", "[1]."), output_tokens=4)) as server:
        reply = client(server).messages.create(model="m", max_tokens=9, messages=QUESTION)
    assert (reply.content[0].text, reply.stop_reason) == ("Tak [1].", "end_turn")
    assert reply.usage.output_tokens == 4


def test_structured_output_arrives_as_json_text():
    with MessagesServer(Turn.structured({"wynik": ["ą"]})) as server:
        reply = client(server).messages.create(model="m", max_tokens=9, messages=QUESTION)
    assert reply.content[0].text == '{"wynik": ["ą"]}'


def test_native_citations_reach_the_sdk():
    located = Located(cited_text="20 dni", source="file:///a", title="A", search_result_index=1)
    with (
        MessagesServer(Turn(pieces=("Tak", located))) as server,
        client(server).messages.stream(model="m", max_tokens=9, messages=QUESTION) as stream,
    ):
        final = stream.get_final_message()
    (citation,) = final.content[0].citations
    assert (citation.type, citation.cited_text) == ("search_result_location", "20 dni")


def test_a_text_that_follows_a_citation_is_a_block_of_its_own():
    turn = Turn(pieces=("Tak", Located(cited_text="a"), " i ", "nie", Located(cited_text="b")))
    with MessagesServer(turn) as server:
        reply = client(server).messages.create(model="m", max_tokens=9, messages=QUESTION)
        with client(server).messages.stream(model="m", max_tokens=9, messages=QUESTION) as stream:
            streamed = stream.get_final_message()
    assert [block.text for block in reply.content] == ["Tak", " i nie"]
    assert [block.to_dict() for block in streamed.content] == [block.to_dict() for block in reply.content]


def test_a_call_of_a_tool_reaches_the_sdk():
    turn = Turn.calls(ToolUse(name="search", input={"query": "ą"}), text="Szukam.")
    with MessagesServer(turn) as server:
        reply = client(server).messages.create(model="m", max_tokens=9, messages=QUESTION)
        with client(server).messages.stream(model="m", max_tokens=9, messages=QUESTION) as stream:
            streamed = stream.get_final_message()
    for final in (reply, streamed):
        assert (final.content[1].name, final.content[1].input, final.stop_reason) == (
            "search",
            {"query": "ą"},
            "tool_use",
        )


def test_a_search_of_the_web_reaches_the_sdk():
    quote = WebQuote(url="https://a.example", cited_text="26 dni")
    turn = Turn(pieces=(WebSearch(query="urlop", found=(("https://a.example", "A"),)), "Tak", quote))
    with MessagesServer(turn) as server:
        asked, found, text = client(server).messages.create(model="m", max_tokens=9, messages=QUESTION).content
    assert (asked.input, found.content[0].url) == ({"query": "urlop"}, "https://a.example")
    assert (text.citations[0].type, text.citations[0].cited_text) == ("web_search_result_location", "26 dni")


def test_turns_are_used_in_order_and_the_last_repeats():
    with MessagesServer(Turn(pieces=("a",)), Turn(pieces=("b",))) as server:
        create = client(server).messages.create
        replies = [create(model="m", max_tokens=9, messages=QUESTION) for _ in range(3)]
    assert [reply.content[0].text for reply in replies] == ["a", "b", "b"]


def test_the_server_runs_by_hand():
    options = ["--port", "0", "--reply", "Tak jest [1].", "--pause", "0"]
    command = [sys.executable, "-m", "tests.messages_server", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]) as server:
        try:
            url = re.search(r"http://\S+(?=;)", server.stdout.readline()).group()
            body = {"model": "m", "messages": QUESTION}
            reply = httpx.post(f"{url}/v1/messages", json=body).json()
        finally:
            server.terminate()
    assert reply["content"][0]["text"] == "Tak jest [1]."
