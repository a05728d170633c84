"""Our clients against llama.cpp's own server, which speaks both APIs, so that the protocol is not ours alone.

The model's words are rubbish.
"""

import json
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from rag.errors import LLMRejected
from rag.llm.protocol import LanguageModel
from rag.types import ToolResult, ToolSpec
from tests.llama_server import CONTEXT, llama_server
from tests.rag.llm.contract import CHAT_COMPLETIONS, MESSAGES, Api

REASON = "there is no wheel of llama.cpp's server for this machine"
pytest.importorskip("xllamacpp", reason=REASON)
pytest.importorskip("gguf", reason=REASON)

TOOL = ToolSpec(
    name="search",
    description="Szuka w bazie wiedzy.",
    schema={
        "type": "object",
        "properties": {"kind": {"type": "string", "enum": ["urlop", "delegacja"]}},
        "required": ["kind"],
        "additionalProperties": False,
    },
)


class Verdict(BaseModel):
    verdict: Literal["tak", "nie"]
    sure: bool


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with llama_server(tmp_path_factory.mktemp("llama") / "model.gguf") as running:
        yield running


def llama(address: str, api: Api = CHAT_COMPLETIONS, **extra: Any) -> LanguageModel:
    return api.client(api_key="", base_url=address, model="losowy", extra_body={"seed": 7, **extra})


def busy_slots(address: str) -> int:
    with urllib.request.urlopen(f"{address}/slots") as answer:
        return sum(slot["is_processing"] for slot in json.load(answer))


@pytest.mark.parametrize("api", [MESSAGES, CHAT_COMPLETIONS])
def test_a_reply_is_counted_and_cut_at_its_limit(address: str, api: Api) -> None:
    reply = llama(address, api).stream(system="Zasady", prompt="Ile dni urlopu?", max_tokens=3)
    assert "".join(reply) == "<us"  # by habit; see tests.llama_server
    assert reply.truncated
    assert reply.usage.output == 3
    assert reply.usage.input > len("ZasadyIle dni urlopu?")


def test_the_grammar_of_the_server_keeps_even_rubbish_to_the_schema(address: str) -> None:
    model = llama(address)
    found, usage = model.structured(system="Zasady", prompt="Tak?", schema=Verdict, max_tokens=100, timeout=60.0)
    assert found.verdict in ("tak", "nie")
    assert usage.output > 0
    assert model.capabilities.structured == "schema"


@pytest.mark.parametrize(("api", "choice"), [(MESSAGES, {"type": "any"}), (CHAT_COMPLETIONS, "required")])
def test_a_tool_is_called_and_its_result_taken(address: str, api: Api, choice: Any) -> None:
    model = llama(address, api, tool_choice=choice, temperature=0)
    request: dict[str, Any] = {"system": "Zasady", "tools": [TOOL], "max_tokens": 400, "timeout": 60.0}
    turn = model.converse(messages=["Ile?"], **request)
    (call,) = turn.calls
    assert (call.name, turn.stopped) == ("search", "tools")
    assert call.arguments["kind"] in ("urlop", "delegacja")
    told = "Urlop: 26 dni. " * 5
    after = model.converse(messages=["Ile?", turn, (ToolResult(call_id=call.id, text=told),)], **request)
    assert after.usage.input > turn.usage.input + len(told)


@pytest.mark.parametrize("api", [MESSAGES, CHAT_COMPLETIONS])
def test_more_than_fits_is_rejected_in_the_words_of_the_server(address: str, api: Api) -> None:
    with pytest.raises(LLMRejected, match="context size"):
        list(llama(address, api).stream(system="Zasady", prompt="długo " * CONTEXT, max_tokens=10))


def test_closing_the_generator_ends_the_work_of_the_server(address: str) -> None:
    endless = llama(address, ignore_eos=True)
    with closing(iter(endless.stream(system="Zasady", prompt="Pisz.", max_tokens=1900))) as pieces:
        next(pieces)
    for _ in range(100):
        if not (busy := busy_slots(address)):
            break
        threading.Event().wait(0.05)
    assert busy == 0


def test_replies_in_threads_do_not_mix(address: str) -> None:
    model = llama(address)
    replies = [model.stream(system="Zasady", prompt="a" * size, max_tokens=5) for size in (10, 20, 30, 40)]
    threads = [threading.Thread(target=list, args=(reply,)) for reply in replies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counted = [reply.usage.input for reply in replies]
    assert [after - before for before, after in pairwise(counted)] == [10, 10, 10]
