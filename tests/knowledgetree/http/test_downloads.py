"""Parts of a file: what a browser asks for that lost the line, or a player that jumps."""

from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.files.base import ContentFile
from django.http import HttpResponseBase
from django.test import RequestFactory

from knowledgetree.http.downloads import download

CONTENT = b"0123456789"


def ask(**headers: str) -> tuple[HttpResponseBase, bytes]:
    request = RequestFactory().get("/", headers={name.replace("_", "-"): value for name, value in headers.items()})
    response: Any = download(request, ContentFile(CONTENT), name="Zażółć.txt", checksum="abc")
    return response, body(response)


@async_to_sync
async def body(response: Any) -> bytes:
    return b"".join([piece async for piece in response]) if response.streaming else response.content


def test_the_whole_says_that_parts_may_be_asked_for() -> None:
    response, content = ask()
    assert (response.status_code, content) == (200, CONTENT)
    assert (response.headers["Content-Length"], response.headers["Accept-Ranges"]) == ("10", "bytes")
    assert response.headers["ETag"] == '"abc"'


@pytest.mark.parametrize(
    ("asked", "part", "content"),
    [
        ("bytes=0-3", "bytes 0-3/10", b"0123"),
        ("bytes=7-", "bytes 7-9/10", b"789"),
        ("bytes=7-99", "bytes 7-9/10", b"789"),
        ("bytes=-2", "bytes 8-9/10", b"89"),
        ("bytes=-99", "bytes 0-9/10", CONTENT),
    ],
)
def test_a_part_is_answered_by_that_part(asked: str, part: str, content: bytes) -> None:
    response, received = ask(Range=asked)
    assert (response.status_code, response.headers["Content-Range"], received) == (206, part, content)
    assert response.headers["Content-Length"] == str(len(content))


def test_a_part_behind_the_end_is_refused() -> None:
    response, _ = ask(Range="bytes=10-")
    assert (response.status_code, response.headers["Content-Range"]) == (416, "bytes */10")


@pytest.mark.parametrize("asked", ["bytes=5-2", "bytes=0-1,4-5", "bytes=-", "bytes=-0", "lines=1-2", "bytes=٣-"])
def test_what_is_no_part_is_answered_by_the_whole(asked: str) -> None:
    response, content = ask(Range=asked)
    assert (response.status_code, content) == (200, CONTENT)


def test_who_has_the_beginning_of_another_content_gets_the_whole_of_this_one() -> None:
    assert ask(Range="bytes=5-", If_Range='"other"')[1] == CONTENT
    assert ask(Range="bytes=5-", If_Range='"abc"')[1] == CONTENT[5:]
