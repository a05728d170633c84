"""A streamed answer is the same in both of OpenAI's APIs, and its citations are where its text has them."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from rag.api.openai.completions import Completion
from rag.api.openai.responses import ModelResponse
from rag.events import AnswerDelta, Completed, DraftRevised, Event, Failed, Started
from rag.types import Answer, Citation

CITATION = Citation(
    number=1, chunk_id=7, document_id=3, title="Regulamin", uri="kadry/regulamin.md", heading_path=(), quote="26 dni",
    start=0, end=6, line_start=1, line_end=1, page_start=None, page_end=None, score=1.0, url="/documents/3/#cytat",
)  # fmt: skip
TEXT = "Urlop trwa 26 dni. [1]"
ANSWER = Answer(question="Ile?", text=TEXT, outcome="answered", language="pl", citations=(CITATION,))
BEGUN = Started(question="Ile?", trace_id="t")
END = Completed(answer=ANSWER)

STREAMS = {
    "in pieces": ((BEGUN, AnswerDelta(text="Urlop "), AnswerDelta(text="trwa 26 dni. [1]"), END), TEXT),
    "whole": ((BEGUN, END), TEXT),
    "without a beginning": ((END,), TEXT),
    "the rest at the end": ((BEGUN, AnswerDelta(text="Urlop "), END), TEXT),
    "another draft": (
        (BEGUN, AnswerDelta(text="Nie wiem. [1]"), DraftRevised(), AnswerDelta(text="Urlop "), END),
        f"Nie wiem. [1]\n\n---\n\n{TEXT}",
    ),
    "a draft withdrawn at the end": ((BEGUN, AnswerDelta(text="Urlop [9]"), END), f"Urlop [9]\n\n---\n\n{TEXT}"),
    "a draft of nothing": ((BEGUN, DraftRevised(), AnswerDelta(text="Urlop "), END), TEXT),
}
every_stream = pytest.mark.parametrize(("events", "said"), STREAMS.values(), ids=STREAMS)


def absolute(address: str) -> str:
    return f"https://wiedza.example{address}"


def sent(reply: Completion | ModelResponse, events: Sequence[Event]) -> list[dict[str, Any]]:
    lines = b"".join(map(reply.encode, events)).decode().splitlines()
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: {")]


@every_stream
def test_chunks_of_a_completion_make_the_answer(events: Sequence[Event], said: str) -> None:
    chunks = sent(Completion(model="m", absolute=absolute), events)
    deltas = [choice["delta"] for chunk in chunks for choice in chunk["choices"]]
    assert "".join(delta.get("content", "") for delta in deltas) == said
    assert [delta.get("role") for delta in deltas] == ["assistant", *[None] * (len(deltas) - 1)]
    (annotation,) = deltas[-1]["annotations"]
    place = annotation["url_citation"]
    assert place["start_index"] >= said.rindex(TEXT)
    assert said[place["start_index"] : place["end_index"]] == "[1]"


@every_stream
def test_events_of_a_response_make_the_answer(events: Sequence[Event], said: str) -> None:
    told = sent(ModelResponse(model="m", absolute=absolute), events)
    assert [event["sequence_number"] for event in told] == list(range(len(told)))
    kinds = [event["type"].removeprefix("response.") for event in told]
    assert [kind for kind in kinds if not kind.endswith("delta")] == [
        "created", "in_progress", "output_item.added", "content_part.added", "output_text.annotation.added",
        "output_text.done", "content_part.done", "output_item.done", "completed",
    ]  # fmt: skip
    assert "".join(event["delta"] for event in told if event["type"].endswith("text.delta")) == said
    from openai.types.responses import ResponseCompletedEvent

    completed = ResponseCompletedEvent.model_validate(told[-1]).response
    assert completed.output_text == said
    (part,) = told[-2]["item"]["content"]
    assert part == told[-3]["part"] == told[-1]["response"]["output"][0]["content"][0]
    (annotation,) = part["annotations"]
    assert annotation == told[-5]["annotation"]
    assert said[annotation["start_index"] : annotation["end_index"]] == "[1]"
    assert annotation["start_index"] >= said.rindex(TEXT)
    assert (annotation["url"], annotation["quote"]) == ("https://wiedza.example/documents/3/#cytat", "26 dni")


def test_what_fails_is_told_at_the_end() -> None:
    failed = Failed(code="llm_failed", message="Nie działa.", remedy="Spróbuj później.", retryable=True)
    told = sent(ModelResponse(model="m", absolute=absolute), [BEGUN, AnswerDelta(text="Urlop"), failed])
    assert told[-1]["type"] == "response.failed"
    from openai.types.responses import Response

    response = Response.model_validate(told[-1]["response"])
    assert response.status == "failed"
    assert response.error is not None
    assert response.error.message == "Nie działa. Spróbuj później."
    chunks = sent(Completion(model="m", absolute=absolute), [BEGUN, failed])
    assert chunks[-1]["error"]["code"] == "llm_failed"


def test_nothing_follows_the_end_of_a_response() -> None:
    not_saved = Failed(code="not_saved", message="Nie zapisano.", remedy="", retryable=False)
    assert (
        sent(ModelResponse(model="m", absolute=absolute), [BEGUN, END, not_saved])[-1]["type"] == "response.completed"
    )


def test_open_webui_gets_a_source_for_each_citation_and_no_address_in_place_of_a_title() -> None:
    second = Citation(**{**{name: getattr(CITATION, name) for name in CITATION.__slots__}, "number": 2})
    answer = Answer(question="Ile?", text=TEXT, outcome="answered", language="pl", citations=(CITATION, second))
    chunks = sent(Completion(model="m", absolute=absolute, events=True), [BEGUN, Completed(answer=answer)])
    sources = [chunk["event"]["data"] for chunk in chunks if "event" in chunk]
    told = [source["metadata"][0]["source"] for source in sources]
    assert len(set(told)) == 2
    assert not [name for name in told if name.startswith("http")]
    assert [source["source"]["name"] for source in sources] == ["Regulamin", "Regulamin"]
    assert [source["document"] for source in sources] == [["26 dni"], ["26 dni"]]


@every_stream
def test_citations_are_numbered_after_files_that_a_program_has_numbered(events: Sequence[Event], said: str) -> None:
    reply = Completion(model="m", absolute=absolute, events=True, numbered_from=3)
    chunks = sent(reply, events)
    text = "".join(choice["delta"].get("content", "") for chunk in chunks for choice in chunk["choices"])
    assert text == "Urlop trwa 26 dni. [3]"
    assert [chunk["event"]["data"]["metadata"][0]["source"] for chunk in chunks if "event" in chunk] == [
        "Regulamin [3]"
    ]
    assert reply.whole(ANSWER)["choices"][0]["message"]["content"] == text
