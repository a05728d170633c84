"""The stream: first bytes at once, events in order, the pipeline ended when the reader goes."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import aclosing

from knowledgetree.logs import trace_id, traced
from rag.events import AnswerDelta, Event, Failed, Started
from rag.services.sse import encode, event_stream


def test_an_event_is_one_block_with_its_fields() -> None:
    block = encode(AnswerDelta(text="żółw\n\nb"), "<p>x</p>").decode()
    assert block.startswith("event: delta\ndata: {")
    assert block.endswith("}\n\n")
    assert block.count("\n") == 3
    assert json.loads(block.split("data: ")[1]) == {"text": "żółw\n\nb", "html": "<p>x</p>"}


def test_the_first_bytes_do_not_wait_for_the_pipeline() -> None:
    """The pipeline says nothing before the reader has them."""
    read, order = threading.Event(), []

    def waiting() -> Iterator[Event]:
        read.wait(60)
        order.append("pipeline")
        yield AnswerDelta(text="a")

    async def messages() -> list[bytes]:
        stream = event_stream(waiting(), encode=encode)
        first = await anext(stream)
        order.append("reader")
        read.set()
        return [first, *[message async for message in stream]]

    first, second = asyncio.run(messages())
    assert order == ["reader", "pipeline"]
    assert first == b": open\n\n"
    assert b'"text": "a"' in second


def test_events_arrive_in_order_with_keep_alives_between() -> None:
    def events() -> Iterator[Event]:
        yield AnswerDelta(text="a")
        time.sleep(0.2)
        yield AnswerDelta(text="b")

    async def all_of_it() -> list[bytes]:
        return [message async for message in event_stream(events(), encode=encode, keep_alive=0.05)]

    messages = asyncio.run(all_of_it())
    assert b": keep-alive\n\n" in messages
    assert [json.loads(m.split(b"data: ")[1])["text"] for m in messages if b"data: " in m] == ["a", "b"]


def test_the_trace_id_of_the_request_reaches_the_pipeline() -> None:
    def events() -> Iterator[Event]:
        yield Started(question="q", trace_id=trace_id.get())

    async def all_of_it() -> bytes:
        with traced("abc"):
            stream = event_stream(events(), encode=encode)
        return b"".join([message async for message in stream])

    assert b'"trace_id": "abc"' in asyncio.run(all_of_it())


def test_the_pipeline_is_closed_when_the_reader_goes() -> None:
    closed = threading.Event()

    def endless() -> Iterator[Event]:
        try:
            while True:
                time.sleep(0.01)
                yield AnswerDelta(text="a")
        finally:
            closed.set()

    async def read_three_and_go() -> None:
        async with aclosing(event_stream(endless(), encode=encode)) as stream:
            for _ in range(3):
                await anext(stream)

    asyncio.run(read_three_and_go())
    assert closed.wait(60)


def test_a_pipeline_that_breaks_says_so_and_ends() -> None:
    def broken() -> Iterator[Event]:
        yield AnswerDelta(text="a")
        raise RuntimeError

    async def all_of_it() -> list[bytes]:
        return [message async for message in event_stream(broken(), encode=encode)]

    assert asyncio.run(all_of_it())[-1].startswith(f"event: {Failed.name}\n".encode())
