"""Pages as they should be, and redirects."""

import gzip
import zlib

import pytest

from knowledgetree.fetching import Fetched, Fetcher, Limits, NotModified, Validators, web_fetcher
from knowledgetree.fetching.errors import BadReply, FetchRefused, HTTPFailure, TooManyRedirects, WrongMediaType
from tests.web_site import Page, WebSite, redirect

POLISH = "<html><body><p>Zażółć gęślą jaźń: ustawa o podatku, łąka, świerszcz.</p></body></html>"


def fetch(site: WebSite, path: str = "/", **options: object) -> Fetched:
    fetched = Fetcher(**site.access).get(site.url + path, **options)  # type: ignore[arg-type]
    assert isinstance(fetched, Fetched)
    return fetched


class TestPages:
    def test_a_page_says_what_it_is(self) -> None:
        page = Page(POLISH, headers={"ETag": '"7"', "Last-Modified": "Wed, 21 Oct 2026 07:28:00 GMT"})
        with WebSite({"/a": page}) as site:
            fetched = fetch(site, "/a#dalej")
        assert (fetched.status, fetched.media_type, fetched.charset) == (200, "text/html", "utf-8")
        assert fetched.text == POLISH
        assert fetched.final_url.endswith("/a")
        assert fetched.validators == Validators(etag='"7"', last_modified="Wed, 21 Oct 2026 07:28:00 GMT")

    def test_we_say_who_we_are_and_nothing_else(self) -> None:
        with WebSite({"/": Page(POLISH)}) as site:
            fetch(site)
        (request,) = site.requests
        assert request.headers["User-Agent"].startswith("KnowledgeTree/")
        assert {name.lower() for name in request.headers} == {
            "host", "user-agent", "accept", "accept-encoding", "connection",
        }  # fmt: skip

    def test_proxies_of_the_environment_are_not_used(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, "http://127.0.0.1:9")
        with WebSite({"/": Page(POLISH)}) as site:
            assert fetch(site).status == 200

    @pytest.mark.parametrize(
        ("encoding", "packed"),
        [
            ("gzip", gzip.compress(POLISH.encode())),
            ("x-gzip", gzip.compress(POLISH.encode())),
            ("deflate", zlib.compress(POLISH.encode())),
            ("deflate", zlib.compress(POLISH.encode())[2:-4]),
            ("identity", POLISH.encode()),
        ],
    )
    def test_packed_pages_are_unpacked(self, encoding: str, packed: bytes) -> None:
        with WebSite({"/": Page(packed, headers={"Content-Encoding": encoding})}) as site:
            assert fetch(site).text == POLISH

    def test_a_large_packed_page_comes_whole(self) -> None:
        large = ("<p>" + "abc łąka " * 300_000).encode()
        with WebSite({"/": Page(gzip.compress(large), headers={"Content-Encoding": "gzip"})}) as site:
            assert fetch(site).content == large

    @pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip"])
    def test_what_was_not_asked_for_is_not_unpacked(self, encoding: str) -> None:
        page = Page(gzip.compress(gzip.compress(b"x")), headers={"Content-Encoding": encoding})
        with WebSite({"/": page}) as site, pytest.raises(BadReply):
            fetch(site)

    def test_international_names_and_paths(self) -> None:
        asked: list[str] = []
        with WebSite({"/%C4%85?q=%C5%82": Page(POLISH)}) as site:

            def resolver(host: str, port: int) -> list[str]:
                asked.append(host)
                return ["127.0.0.1"]

            Fetcher(resolver=resolver, **site.access).get(f"http://żółw.pl:{site.port}/ą?q=ł")
        assert asked == ["xn--w-uga1v8h.pl"]


class TestConditional:
    def test_an_unchanged_page_costs_no_body(self) -> None:
        page = Page(status=304, media_type=None, headers={"ETag": '"8"'})
        with WebSite({"/": page}) as site:
            known = Validators(etag='"7"', last_modified="Wed, 21 Oct 2026 07:28:00 GMT")
            unchanged = Fetcher(**site.access).get(site.url + "/", validators=known)
        assert isinstance(unchanged, NotModified)
        assert unchanged.validators == Validators(etag='"8"', last_modified=known.last_modified)
        assert site.requests[0].headers["If-None-Match"] == '"7"'
        assert site.requests[0].headers["If-Modified-Since"] == known.last_modified

    def test_304_to_those_who_did_not_ask_is_an_error(self) -> None:
        with WebSite({"/": Page(status=304)}) as site, pytest.raises(HTTPFailure):
            fetch(site)

    def test_a_stored_validator_cannot_smuggle_a_header(self) -> None:
        with WebSite({"/": Page(POLISH)}) as site:
            fetch(site, validators=Validators(etag='"1"\r\nX-Evil: 1'))
        assert site.requests[0].headers["X-Evil"] is None


class TestRedirects:
    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    def test_they_are_followed(self, status: int) -> None:
        with WebSite({"/a": redirect("b/../c?d=1#e", status), "/c": Page(POLISH)}) as site:
            fetched = fetch(site, "/a")
        assert fetched.url == site.url + "/a"
        assert fetched.final_url == site.url + "/c?d=1"

    def test_five_and_no_more(self) -> None:
        pages = {f"/{n}": redirect(f"/{n + 1}") for n in range(6)}
        with WebSite({**pages, "/6": Page(POLISH)}) as site:
            assert fetch(site, "/1").status == 200
            with pytest.raises(TooManyRedirects):
                fetch(site, "/0")

    def test_a_loop_ends(self) -> None:
        with WebSite({"/": redirect("/")}) as site, pytest.raises(TooManyRedirects):
            fetch(site)
        assert len(site.requests) == 6

    @pytest.mark.parametrize(
        "target",
        [
            "http://169.254.169.254/latest/meta-data/iam/",
            "http://10.0.0.1/",
            "http://[::1]/",
            "http://2852039166/",
            "file:///etc/passwd",
            "//10.0.0.1/",
            "http://user:haslo@example.com/",
            "http://127.0.0.1:1/",
            "gopher://127.0.0.1:6379/_FLUSHALL",
        ],
    )
    def test_each_is_checked_like_the_first_address(self, target: str) -> None:
        with WebSite({"/": redirect(target)}) as site:
            access = {**site.access, "ports": [site.port, 80]}
            with pytest.raises(FetchRefused):
                Fetcher(**access).get(site.url + "/")

    def test_a_name_that_turns_inside_between_redirects_is_refused(self) -> None:
        answers = [["127.0.0.1"], ["192.168.0.1"]]
        with WebSite({"/": redirect("/dalej"), "/dalej": Page("tajne")}) as site, pytest.raises(FetchRefused):
            Fetcher(resolver=lambda *_: answers.pop(0), **site.access).get(f"http://a.invalid:{site.port}/")
        assert site.paths == ["/"]

    def test_one_to_nonsense_is_named(self) -> None:
        with WebSite({"/": redirect("http://[")}) as site, pytest.raises((BadReply, FetchRefused)):
            fetch(site)


class TestStatuses:
    @pytest.mark.parametrize(
        ("status", "retryable", "gone"),
        [(404, False, True), (410, False, True), (403, False, False), (500, True, False), (503, True, False)],
    )
    def test_an_error_says_whether_to_try_again(self, status: int, retryable: bool, gone: bool) -> None:
        with WebSite({"/": Page("ups", status=status)}) as site, pytest.raises(HTTPFailure) as failed:
            fetch(site)
        assert (failed.value.answered, failed.value.retryable, failed.value.gone) == (status, retryable, gone)

    @pytest.mark.parametrize(
        ("header", "seconds"), [("120", 120.0), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0), ("jutro", None), ("-5", None)]
    )
    def test_a_busy_server_says_how_long_to_wait(self, header: str, seconds: float | None) -> None:
        page = Page(status=429, headers={"Retry-After": header})
        with WebSite({"/": page}) as site, pytest.raises(HTTPFailure) as failed:
            fetch(site)
        assert failed.value.retryable
        assert failed.value.retry_after == seconds


class TestSettings:
    def test_networks_and_limits_come_from_the_settings(self, settings: object) -> None:
        with WebSite({"/": Page(POLISH)}) as site:
            with pytest.raises(FetchRefused):
                web_fetcher().get(site.url)
            fetching = {"allowed_networks": ["127.0.0.1/32"], "ports": [site.port], "max_redirects": 1}
            settings.RAG = {**settings.RAG, "fetching": fetching}  # type: ignore[attr-defined]
            assert web_fetcher().limits == Limits(max_redirects=1)
            assert web_fetcher().get(site.url).status == 200  # type: ignore[union-attr]

    def test_only_wanted_types_are_read(self) -> None:
        with WebSite({"/a.pdf": Page(b"%PDF-1.7 ...", media_type="application/pdf")}) as site:
            with pytest.raises(WrongMediaType, match="application/pdf"):
                fetch(site, "/a.pdf")
            assert fetch(site, "/a.pdf", media_types=["application/*"]).charset == ""
