"""Servers that want our time, our memory or our trust."""

import gzip
import itertools
import zlib
from collections.abc import Iterator

import pytest

from knowledgetree.fetching import Fetcher, Limits
from knowledgetree.fetching.errors import BadReply, FetchError, FetchFailed, FetchTimeout, TooLarge, WrongMediaType
from tests.web_site import Page, WebSite

MB = 1_000_000


def fetch(page: Page, **limits: float) -> object:
    with WebSite({"/": page}) as site:
        return Fetcher(limits=Limits(**limits), **site.access).get(site.url + "/")  # type: ignore[arg-type]


def endless() -> Iterator[bytes]:
    return itertools.repeat(b"<p>dalej</p>" * 1000)


def bomb(megabytes: int) -> bytes:
    return gzip.compress(b"x" * (megabytes * MB))


class TestTime:
    @pytest.mark.parametrize(
        "page",
        [
            Page("późno", wait=60),
            Page("x", headers={f"X-{n}": "y" for n in range(90)}, pause=1.0),
            Page(lambda: itertools.repeat(b"x", 600), pause=0.1),
        ],
        ids=["silence", "slow_headers", "slow_body"],
    )
    def test_no_server_keeps_us_until_it_has_said_all(self, page: Page) -> None:
        with WebSite({"/": page}) as site:
            with pytest.raises(FetchFailed) as failed:
                Fetcher(limits=Limits(seconds=0.5), **site.access).get(site.url + "/")
            assert site.finished == 0
        assert failed.value.retryable

    def test_redirects_share_the_time(self) -> None:
        page = Page(status=302, headers={"Location": "/"}, wait=0.2)
        with pytest.raises(FetchTimeout):
            fetch(page, seconds=0.5)

    def test_a_caller_may_have_less_time_but_not_more(self) -> None:
        with WebSite({"/": Page("późno", wait=60)}) as site:
            with pytest.raises(FetchTimeout):
                Fetcher(limits=Limits(seconds=0.3), **site.access).get(site.url + "/", seconds=600)
            with pytest.raises(FetchTimeout):
                Fetcher(limits=Limits(seconds=600), **site.access).get(site.url + "/", seconds=0.3)
            assert site.finished == 0


class TestSize:
    def test_a_caller_may_want_less_but_not_more(self) -> None:
        with WebSite({"/": Page(b"x" * 2 * MB)}) as site:
            with pytest.raises(TooLarge):
                Fetcher(limits=Limits(max_bytes=MB), **site.access).get(site.url + "/", max_bytes=10 * MB)
            with pytest.raises(TooLarge):
                Fetcher(limits=Limits(max_bytes=10 * MB), **site.access).get(site.url + "/", max_bytes=MB)

    @pytest.mark.parametrize(
        "page",
        [
            Page(endless),
            Page(b"x" * (2 * MB)),
            Page(b"", headers={"Content-Length": str(10**15)}),
            Page(bomb(50), headers={"Content-Encoding": "gzip"}),
            Page(zlib.compress(b"x" * 50 * MB), headers={"Content-Encoding": "deflate"}),
            Page(lambda: itertools.repeat(bomb(1)[:500]), headers={"Content-Encoding": "gzip"}),
        ],
        ids=["endless", "large", "announced", "gzip_bomb", "deflate_bomb", "endless_gzip"],
    )
    def test_a_body_ends_at_the_limit(self, page: Page) -> None:
        with pytest.raises((TooLarge, BadReply)):
            fetch(page, max_bytes=MB, seconds=10)

    def test_a_bomb_is_found_before_it_is_in_memory(self) -> None:
        import tracemalloc

        packed = bomb(200)
        tracemalloc.start()
        with pytest.raises(TooLarge):
            fetch(Page(packed, headers={"Content-Encoding": "gzip"}), max_bytes=5 * MB)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 25 * MB

    @pytest.mark.parametrize(
        "page",
        [
            Page("x", headers={f"X-{n}": "y" * 1000 for n in range(60)}),
            Page("x", headers={"X-Long": "y" * 200_000}),
            Page(raw=b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 100_000),
        ],
    )
    def test_headers_have_a_limit(self, page: Page) -> None:
        with pytest.raises(FetchError):
            fetch(page)


class TestNonsense:
    @pytest.mark.parametrize(
        "raw",
        [
            b"SSH-2.0-OpenSSH_9.6\r\n",
            b"HTTP/1.1 -1 OK\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
            b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n",
            b"\x00\xff" * 5000,
        ],
    )
    def test_what_is_no_http_is_an_error_of_ours(self, raw: bytes) -> None:
        with pytest.raises(FetchFailed):
            fetch(Page(raw=raw))

    def test_a_damaged_packing_is_named(self) -> None:
        with pytest.raises(BadReply):
            fetch(Page(b"not gzip at all", headers={"Content-Encoding": "gzip"}))

    def test_a_closed_port_is_worth_another_try(self) -> None:
        with WebSite() as site:
            fetcher = Fetcher(**site.access)
        with pytest.raises(FetchFailed) as failed:
            fetcher.get(site.url + "/")
        assert failed.value.retryable


class TestTypes:
    @pytest.mark.parametrize(
        ("body", "said"),
        [
            (b"MZ\x90\x00" + b"\x00" * 3000, "text/html"),
            (b"\x7fELF\x02" + b"\x00" * 3000, "text/plain"),
            (b"%PDF-1.7\n%\xe2\xe3", "text/html"),
            (b"PK\x03\x04" + b"\x00" * 100, "text/html; charset=utf-8"),
            (b"abc\x00def" * 300, "text/plain"),
            (b"<p>x</p>", "video/mp4"),
            (b"", None),
            (b"\x89PNG\r\n\x1a\n", None),
        ],
    )
    def test_a_file_does_not_pass_for_a_page(self, body: bytes, said: str | None) -> None:
        with pytest.raises(WrongMediaType):
            fetch(Page(body, media_type=said))

    def test_what_the_header_rules_out_is_not_read(self) -> None:
        sent: list[int] = []

        def body() -> Iterator[bytes]:
            for n in range(10_000):
                sent.append(n)
                yield b"x" * 10_000

        with pytest.raises(WrongMediaType):
            fetch(Page(body, media_type="video/mp4"))
        assert len(sent) < 5000

    def test_html_without_a_header_is_a_page(self) -> None:
        assert fetch(Page("<!DOCTYPE html><p>x</p>", media_type=None)).media_type == "text/html"  # type: ignore[attr-defined]
