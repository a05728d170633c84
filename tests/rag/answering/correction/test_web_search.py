"""Search engines: what they answer, and what they may answer when they are unwell."""

import json
from datetime import date
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from knowledgetree.components import component
from rag.answering.correction.web_search import WebResult, WebSearch, WebSearchFailed, WebSearchRejected, web_passages
from rag.answering.correction.web_search.searxng import SearXNGSearch
from rag.answering.correction.web_search.tavily import TavilySearch
from tests.web_site import Page, WebSite

FOUND = [
    {
        "url": "https://example.com/vat",
        "title": "Stawki VAT",
        "content": "Książki są objęte stawką 5%.",
        "published_date": "Sun, 01 Mar 2026 10:00:00 GMT",
        "publishedDate": "2026-03-01T10:00:00",
        "score": 0.9,
    },
    {"url": "http://example.org/", "title": None, "content": None},
]
WANTED = [
    WebResult(
        url="https://example.com/vat",
        title="Stawki VAT",
        text="Książki są objęte stawką 5%.",
        published=date(2026, 3, 1),
    ),
    WebResult(url="http://example.org/", title="http://example.org/"),
]


def reply(results: Any = FOUND, **page: Any) -> Page:
    return Page(json.dumps({"results": results}), media_type="application/json", **page)


class EngineContract:
    """What every search engine behind an address keeps to."""

    def engine(self, site: WebSite) -> WebSearch:
        raise NotImplementedError

    def ask(self, page: Page, *, limit: int = 5, seconds: float = 5.0) -> list[WebResult]:
        with WebSite({"/search": page}) as site:
            results, usage = self.engine(site).search("stawka VAT", language="pl", limit=limit, seconds=seconds)
            self.requests = site.requests
        assert usage.total == 0
        return results

    def test_results_come_in_order(self) -> None:
        assert self.ask(reply()) == WANTED

    def test_no_more_than_asked_for_and_each_once(self) -> None:
        many = [{"url": f"https://example.com/{n % 40}", "title": "x", "content": "y"} for n in range(400)]
        assert [result.url for result in self.ask(reply(many), limit=3)] == [
            f"https://example.com/{n}" for n in range(3)
        ]
        assert len(self.ask(reply(many), limit=100)) == 40

    def test_what_is_no_web_address_is_left_out(self) -> None:
        odd = [
            {"url": "javascript:alert(1)", "title": "x"},
            {"url": "file:///etc/passwd"},
            {"url": "https://example.com/" + "a" * 5000},
            {"title": "bez adresu"},
            {"url": 7},
            "tekst",
            None,
        ]
        assert [result.url for result in self.ask(reply([*odd, *FOUND]))] == [result.url for result in WANTED]

    def test_texts_are_plain_and_short(self) -> None:
        (result,) = self.ask(
            reply([{"url": "https://a.pl", "title": "a\x00b\u202ec\n" + "d" * 9999, "content": "e\r\nf" * 9999}])
        )
        assert result.title.startswith("a b c d")
        assert len(result.title) == 300
        assert len(result.text) == 3000
        assert result.text.startswith("e fe f")

    @pytest.mark.parametrize(
        ("page", "retryable"),
        [
            (Page(status=401), False),
            (Page(status=403), False),
            (Page(status=432), False),
            (Page(status=302, headers={"Location": "http://127.0.0.1:9/"}), False),
            (Page(status=429), True),
            (Page(status=500), True),
            (Page(status=503), True),
            (Page("<html>Bad gateway</html>"), True),
            (Page('{"results": '), True),
            (Page(b"\xff\xfe\x00"), True),
            (Page("[" * 100_000), True),
            (Page('{"answer": "nie wiem"}'), True),
            (Page('{"results": null}'), True),
            (Page("[]"), True),
            (Page("x" * 6_000_000), True),
            (Page(raw=b"SSH-2.0\r\n"), True),
        ],
    )
    def test_a_failure_is_one_of_ours_and_says_whether_to_try_again(self, page: Page, retryable: bool) -> None:
        with pytest.raises(WebSearchFailed) as failed:
            self.ask(page)
        assert failed.value.retryable == retryable
        assert isinstance(failed.value, WebSearchRejected) != retryable
        assert "klucz" not in str(failed.value)

    @pytest.mark.parametrize("page", [Page(wait=3), Page(lambda: [b" "] * 100, pause=0.05)], ids=["silent", "slow"])
    def test_it_ends_in_time(self, page: Page) -> None:
        with pytest.raises(WebSearchFailed, match=r"127\.0\.0\.1") as failed:
            self.ask(page, seconds=0.3)
        assert failed.value.retryable

    def test_nobody_there(self) -> None:
        with WebSite() as site:
            engine = self.engine(site)
        with pytest.raises(WebSearchFailed):
            engine.search("stawka VAT", language="pl", limit=5, seconds=1)


class TestTavily(EngineContract):
    def engine(self, site: WebSite) -> WebSearch:
        return TavilySearch(api_key="klucz", url=site.url)

    def test_it_speaks_the_protocol(self) -> None:
        self.ask(reply())
        (request,) = self.requests
        assert request.method == "POST"
        assert request.headers["Authorization"] == "Bearer klucz"
        assert json.loads(request.body) == {"query": "stawka VAT", "max_results": 5, "search_depth": "basic"}

    def test_a_long_question_is_cut(self) -> None:
        with WebSite({"/search": reply()}) as site:
            self.engine(site).search("słowo " * 200, language="pl", limit=5, seconds=5)
        assert len(json.loads(site.requests[0].body)["query"]) == 400

    def test_without_a_key_it_says_which(self) -> None:
        with pytest.raises(ImproperlyConfigured, match="TAVILY_API_KEY"):
            component("web_search", "tavily")


class TestSearXNG(EngineContract):
    def engine(self, site: WebSite) -> WebSearch:
        return SearXNGSearch(url=site.url + "/")

    def test_it_speaks_the_protocol(self) -> None:
        self.ask(reply())
        (request,) = self.requests
        assert request.path == "/search?safesearch=1&q=stawka+VAT&language=pl&format=json"

    def test_a_format_that_is_switched_off_is_named(self) -> None:
        with pytest.raises(WebSearchRejected, match=r"search\.formats"):
            self.ask(Page(status=403))

    def test_without_an_address_it_says_so(self) -> None:
        with pytest.raises(ImproperlyConfigured, match="SEARXNG_URL"):
            component("web_search", "searxng")


class TestNone:
    def test_out_of_the_box_nothing_leaves_the_building(self) -> None:
        assert web_passages() is None
        assert component("web_search", "none").search("x", language="pl", limit=5, seconds=1)[0] == []
