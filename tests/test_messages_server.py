"""The test server itself, as the SDK sees it: parts of the protocol that no other test uses yet."""

import re
import subprocess
import sys
from pathlib import Path

import httpx
from anthropic import Anthropic

from tests.messages_server import Located, MessagesServer, Turn

QUESTION = [{"role": "user", "content": "Ile?"}]


def client(server: MessagesServer) -> Anthropic:
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


def test_turns_are_used_in_order_and_the_last_repeats():
    with MessagesServer(Turn(pieces=("a",)), Turn(pieces=("b",))) as server:
        create = client(server).messages.create
        replies = [create(model="m", max_tokens=9, messages=QUESTION) for _ in range(3)]
    assert [reply.content[0].text for reply in replies] == ["a", "b", "b"]


def test_the_server_runs_by_hand():
    script = Path(__file__).with_name("messages_server.py")
    options = ["--port", "0", "--reply", "Tak jest [1].", "--pause", "0"]
    command = [sys.executable, str(script), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            url = re.search(r"http://\S+(?=;)", server.stdout.readline()).group()
            body = {"model": "m", "messages": QUESTION}
            reply = httpx.post(f"{url}/v1/messages", json=body).json()
        finally:
            server.terminate()
    assert reply["content"][0]["text"] == "Tak jest [1]."
