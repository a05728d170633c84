"""A site read once more, and the traps on the way."""

import pytest

from ingestion.sources import (
    CrawlOptions,
    FetchedDocument,
    FetchFailure,
    Gone,
    Known,
    Unchanged,
    read_page,
    read_sitemap,
)
from ingestion.sources import crawl as crawl_site
from knowledgetree.fetching import Fetcher
from tests.ingestion.sources.sites import crawl, page, paths, reasons
from tests.web_site import Page, Request, WebSite, redirect


class TestAgain:
    def test_an_unchanged_page_costs_a_304(self) -> None:
        def answer(request: Request) -> Page:
            return Page(status=304) if request.headers["If-None-Match"] == '"1"' else page(headers={"ETag": '"1"'})

        with WebSite({"/a": answer}) as site:
            (first,) = crawl(site, "/a")
            assert isinstance(first, FetchedDocument)
            (again,) = crawl(site, "/a", known={"/a": first.version})
        assert again == Unchanged(uri=first.uri, version=first.version)

    def test_without_validators_the_checksum_tells(self) -> None:
        with WebSite({"/a": page(text="x")}) as site:
            (first,) = crawl(site, "/a")
            assert isinstance(first, FetchedDocument)
            assert paths(site, crawl(site, "/a", known={"/a": first.version}), Unchanged) == ["/a"]
            site.pages = {"/a": page(text="y")}
            assert paths(site, crawl(site, "/a", known={"/a": first.version})) == ["/a"]

    def test_pages_below_an_unchanged_one_are_still_read(self) -> None:
        with WebSite({"/": Page(status=304), "/a": page("/b"), "/b": page(), "/c": page()}) as site:
            outcomes = crawl(site, known={"/": Known(etag='"1"'), "/a": Known(), "/c": Known()})
        assert paths(site, outcomes, Unchanged) == ["/"]
        assert {"/a", "/c"} <= set(paths(site, outcomes))

    def test_the_links_of_an_unchanged_page_are_remembered(self) -> None:
        with WebSite({"/": page("/a", headers={"ETag": '"1"'})}) as site:
            (first, _) = crawl(site)
            assert isinstance(first, FetchedDocument)
            site.pages = {"/": Page(status=304), "/a": page()}
            outcomes = crawl(site, known={"/": first.version})
        assert paths(site, outcomes, Unchanged) == ["/"]
        assert paths(site, outcomes) == ["/a"]

    def test_what_was_read_a_moment_ago_is_not_asked_for_and_leads_on(self) -> None:
        with WebSite({"/": page(), "/a": page(), "/b": page()}) as site:
            start = Known(checksum="1", links=(f"{site.url}/a",), fresh=True)
            middle = Known(checksum="2", links=(f"{site.url}/b",), fresh=True)
            outcomes = crawl(site, known={"/": start, "/a": middle})
            assert not {"/", "/a"} & set(site.paths)
        assert paths(site, outcomes, Unchanged) == ["/", "/a"]
        assert paths(site, outcomes) == ["/b"]

    def test_what_the_limit_cut_off_is_told(self) -> None:
        with WebSite({"/": page("/a", "/b"), "/a": page(), "/b": page()}) as site:
            assert reasons(site, crawl(site, max_pages=2)) == {"/b": "limit"}

    @pytest.mark.parametrize(("status", "kind"), [(404, Gone), (410, Gone), (403, FetchFailure), (500, FetchFailure)])
    def test_only_what_is_not_there_is_gone(self, status: int, kind: type) -> None:
        with WebSite({"/": page(), "/a": Page(status=status)}) as site:
            outcomes = crawl(site, known={"/a": Known()})
        assert paths(site, outcomes, kind) == ["/a"]

    def test_a_known_document_keeps_its_spelling(self) -> None:
        with WebSite({"/": page("/a/"), "/a/": page(), "/a": redirect("/a/")}) as site:
            outcomes = crawl(site, known={"/a": Known()})
        assert paths(site, outcomes) == ["/", "/a"]
        assert paths(site, outcomes, Gone) == []

    def test_what_was_not_reached_is_not_gone(self) -> None:
        with WebSite({"/": page("/a"), "/a": page(), "/b": page()}) as site:
            outcomes = crawl(site, max_pages=1, known={"/b": Known(), "/wykl": Known()}, exclude=("/wykl",))
        assert paths(site, outcomes, Gone) == []
        assert reasons(site, outcomes)["/b"] == "limit"


class TestTraps:
    def test_a_calendar_ends(self) -> None:
        class Calendar(dict[str, Page]):
            def get(self, path: str, default: object = None) -> Page | None:  # type: ignore[override]
                if path in ("/robots.txt", "/sitemap.xml"):
                    return None
                number = int(path.rpartition("=")[2] or 0) if "=" in path else 0
                return page(*(f"/kalendarz?dzien={number * 10 + n}" for n in range(10)))

        with WebSite(Calendar()) as site:
            outcomes = crawl(site, max_pages=400, max_depth=50)
        assert len(paths(site, outcomes)) <= 101
        assert "endless" in reasons(site, outcomes).values()

    def test_links_that_grow_end(self) -> None:
        class Growing(dict[str, Page]):
            def get(self, path: str, default: object = None) -> Page | None:  # type: ignore[override]
                return None if path in ("/robots.txt", "/sitemap.xml") else page("x/y/")

        with WebSite(Growing()) as site:
            outcomes = crawl(site, max_pages=400, max_depth=50)
        assert len(site.requests) < 10
        assert "endless" in reasons(site, outcomes).values()

    def test_a_site_that_died_is_left_alone(self) -> None:
        links = [f"/{n}" for n in range(100)]
        with WebSite({"/": page(*links), **{link: Page(status=500) for link in links}}) as site:
            outcomes = crawl(site, known={"/99": Known()})
        assert len(paths(site, outcomes, FetchFailure)) == 10
        assert set(reasons(site, outcomes)) == {f"/{n}" for n in range(10, 100)}
        assert set(reasons(site, outcomes).values()) == {"given_up"}

    def test_a_busy_site_is_asked_again_after_the_time_it_wants(self) -> None:
        answers = [Page(status=429, headers={"Retry-After": "7"}), page()]
        slept: list[float] = []
        with WebSite({"/a": lambda _: answers.pop(0)}) as site:
            outcomes = list(
                crawl_site(
                    site.url + "/a",
                    fetcher=Fetcher(**site.access),
                    options=CrawlOptions(delay=0),
                    known={},
                    sleep=slept.append,
                )
            )
        assert paths(site, outcomes) == ["/a"]
        assert 7.0 in slept

    @pytest.mark.parametrize(
        "trap",
        [Page(wait=3), Page("x" * 30_000_000), Page(b"\x00" * 5000), Page("<" * 100_000), Page(raw=b"?\r\n\r\n")],
    )
    def test_one_bad_page_does_not_end_the_reading(self, trap: Page) -> None:
        with WebSite({"/": page("/pulapka", "/dobra"), "/pulapka": trap, "/dobra": page()}) as site:
            outcomes = crawl(site)
        assert "/dobra" in paths(site, outcomes)

    @pytest.mark.parametrize("start", ["ftp://a.pl/", "nic", "http://10.0.0.1/", "http://u:p@a.pl/"])
    def test_a_bad_beginning_is_one_failure(self, start: str) -> None:
        outcomes = list(crawl_site(start, fetcher=Fetcher(), options=CrawlOptions(), known={}))
        assert [type(outcome) for outcome in outcomes] == [FetchFailure]


class TestPageAndSitemap:
    def test_a_page_alone(self) -> None:
        with WebSite({"/a": page("/b"), "/b": page()}) as site:
            assert paths(site, crawl(site, "/a", reader=read_page)) == ["/a"]

    def test_a_page_whose_header_alone_names_its_encoding_comes_in_utf8(self) -> None:
        body = "<html><body><p>Żółta łąka, śnieg</p></body></html>".encode("iso-8859-2")
        with WebSite({"/a": Page(body, media_type="text/html; charset=iso-8859-2")}) as site:
            (found,) = crawl(site, "/a", reader=read_page)
        assert isinstance(found, FetchedDocument)
        assert "Żółta łąka, śnieg" in found.content.decode()

    def test_the_pages_of_a_sitemap(self) -> None:
        listed = Page("/a\n/b\n/nie-ma\nhttps://inna.pl/", media_type="text/plain")
        with WebSite({"/mapa.txt": listed, "/a": page("/c"), "/b": page(), "/c": page()}) as site:
            outcomes = crawl(site, "/mapa.txt", reader=read_sitemap)
        assert paths(site, outcomes) == ["/a", "/b"]
        assert paths(site, outcomes, FetchFailure) == ["/nie-ma"]

    def test_a_sitemap_that_is_not_there_makes_nothing_gone(self) -> None:
        with WebSite({"/a": page()}) as site:
            (outcome,) = crawl(site, "/mapa.xml", reader=read_sitemap, known={"/a": Known()})
        assert isinstance(outcome, FetchFailure)
