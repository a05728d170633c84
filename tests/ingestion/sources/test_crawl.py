"""A site read page by page."""

import pytest

from ingestion.sources import CrawlOptions, FetchedDocument, FetchFailure, Gone, Known, Skipped
from ingestion.sources import crawl as crawl_site
from knowledgetree.fetching import Fetcher
from tests.ingestion.sources.sites import crawl, page, paths, reasons
from tests.web_site import Answer, Page, Request, WebSite, redirect


class TestCrawl:
    def test_links_are_followed_breadth_first_and_each_page_read_once(self) -> None:
        pages: dict[str, Answer] = {
            "/": page("/a", "/b/", "/a#x", "/a?utm_source=y", "https://inna.pl/", "mailto:x@y", "/"),
            "/a": page("/c", "/b", title="A &amp; B"),
            "/b/": page("/"),
            "/c": page("/a"),
        }
        with WebSite(pages) as site:
            outcomes = crawl(site)
        assert paths(site, outcomes) == ["/", "/a", "/b/", "/c"]
        assert site.paths == ["/robots.txt", "/", "/sitemap.xml", "/a", "/b/", "/c"]
        assert len(outcomes) == 4
        found = {outcome.uri: outcome for outcome in outcomes if isinstance(outcome, FetchedDocument)}[site.url + "/a"]
        assert (found.title, found.name, found.media_type) == ("A & B", "a.html", "text/html")
        assert b"<title>A &amp; B</title>" in found.content

    def test_documents_that_pages_link_to_are_found(self) -> None:
        pages: dict[str, Answer] = {
            "/": page("/regulamin.pdf", "/budzet.ods", "/list.eml", "/film.mp4"),
            "/regulamin.pdf": Page(b"%PDF-1.7 ...", media_type="application/pdf"),
            "/budzet.ods": Page(b"PK\x03\x04...", media_type="application/vnd.oasis.opendocument.spreadsheet"),
            "/list.eml": Page(b"From: a@example.pl\n\nTekst", media_type="message/rfc822"),
            "/film.mp4": Page(b"....", media_type="video/mp4"),
        }
        with WebSite(pages) as site:
            outcomes = crawl(site)
        assert paths(site, outcomes) == ["/", "/regulamin.pdf", "/budzet.ods", "/list.eml"]
        assert reasons(site, outcomes) == {"/film.mp4": "media_type"}

    def test_depth_and_number_of_pages_have_limits(self) -> None:
        with WebSite({f"/{n}": page(f"/{n + 1}") for n in range(20)}) as site:
            assert paths(site, crawl(site, "/0", max_depth=3)) == ["/0", "/1", "/2", "/3"]
            assert paths(site, crawl(site, "/0", max_pages=2, max_depth=9)) == ["/0", "/1"]

    def test_patterns_choose_what_is_read_but_not_where_it_begins(self) -> None:
        pages: dict[str, Answer] = {
            "/": page("/prawo/a", "/prawo/stare/b", "/sport"),
            **dict.fromkeys(("/prawo/a", "/prawo/stare/b", "/sport"), page()),
        }
        with WebSite(pages) as site:
            outcomes = crawl(site, include=("/prawo/*",), exclude=("*/stare/*",))
        assert paths(site, outcomes) == ["/prawo/a"]
        assert set(reasons(site, outcomes).values()) == {"excluded"}
        assert "/sport" not in site.paths

    def test_robots_are_honoured(self) -> None:
        robots = Page("User-agent: *\nDisallow: /tajne\nCrawl-delay: 3", media_type="text/plain")
        slept: list[float] = []
        with WebSite({"/robots.txt": robots, "/": page("/tajne/a", "/b"), "/b": page()}) as site:
            fetcher = Fetcher(**site.access)
            outcomes = list(
                crawl_site(site.url, fetcher=fetcher, options=CrawlOptions(delay=1.0), known={}, sleep=slept.append)
            )
        assert reasons(site, outcomes) == {"/tajne/a": "robots"}
        assert "/tajne/a" not in site.paths
        assert 2.5 < max(slept) <= 3
        assert len(slept) == 2

    def test_the_site_that_the_first_page_leads_to_is_asked_too(self) -> None:
        def robots(request: Request) -> Page:
            closed = request.headers["Host"].startswith("www.")
            return Page("User-agent: *\nDisallow: /" + ("tajne" if closed else ""), media_type="text/plain")

        def start(request: Request) -> Page:
            host = request.headers["Host"]
            return page("/tajne", "/b") if host.startswith("www.") else redirect(f"http://www.{host}/")

        with WebSite({"/robots.txt": robots, "/": start, "/b": page(), "/tajne": page()}) as site:
            fetcher = Fetcher(resolver=lambda *_: ["127.0.0.1"], **site.access)
            address = f"a.invalid:{site.port}"
            robots_of_start = list(
                crawl_site(f"http://{address}/", fetcher=fetcher, options=CrawlOptions(delay=0), known={})
            )
            site.pages = {**site.pages, "/robots.txt": lambda r: robots(r) if "www." in r.headers["Host"] else page()}
            outcomes = list(crawl_site(f"http://{address}/", fetcher=fetcher, options=CrawlOptions(delay=0), known={}))
        assert robots_of_start == [Skipped(uri=f"http://{address}/", reason="robots")]
        assert [o.uri for o in outcomes if isinstance(o, FetchedDocument)] == [
            f"http://www.{address}/",
            f"http://www.{address}/b",
        ]
        assert [o.uri for o in outcomes if isinstance(o, Skipped)] == [f"http://www.{address}/tajne"]

    def test_a_site_that_keeps_us_out_is_not_read(self) -> None:
        robots = Page("User-agent: *\nDisallow: /", media_type="text/plain")
        with WebSite({"/robots.txt": robots, "/": page("/a")}) as site:
            assert reasons(site, crawl(site)) == {"/": "robots"}
        assert "/" not in site.paths

    @pytest.mark.parametrize("robots", [Page(status=503), redirect("http://10.0.0.1/")])
    def test_where_robots_cannot_be_read_nothing_is(self, robots: Page) -> None:
        with WebSite({"/robots.txt": robots, "/": page()}) as site:
            (outcome,) = crawl(site, known={"/stary": Known()})
        assert isinstance(outcome, FetchFailure)
        assert "/" not in site.paths

    def test_the_sitemap_leads_to_pages_without_links(self) -> None:
        listed = Page("/sama\nhttps://inna.pl/x\n/a", media_type="text/plain")
        with WebSite({"/": page("/a"), "/a": page(), "/sama": page(), "/sitemap.xml": listed}) as site:
            assert paths(site, crawl(site)) == ["/", "/a", "/sama"]

    def test_words_of_the_page_are_obeyed(self) -> None:
        pages: dict[str, Answer] = {
            "/": page("/ukryta", "/lisc"),
            "/ukryta": page("/c", head='<meta name="ROBOTS" content="NOINDEX">'),
            "/lisc": page("/d", head='<meta name="robots" content="index, nofollow">'),
            "/c": page(),
            "/d": page(),
        }
        with WebSite(pages) as site:
            outcomes = crawl(site)
        assert paths(site, outcomes) == ["/", "/lisc", "/c"]
        assert reasons(site, outcomes) == {"/ukryta": "noindex"}

    def test_it_stops_when_asked(self) -> None:
        with WebSite({f"/{n}": page(f"/{n + 1}") for n in range(9)}) as site:
            reading = crawl_site(
                site.url + "/0",
                fetcher=Fetcher(**site.access),
                options=CrawlOptions(delay=0),
                known={site.url + "/8": Known()},
                stopped=lambda: len(site.requests) > 3,
            )
            assert len(list(reading)) == 2


class TestCanonical:
    def test_the_canonical_page_stands_for_its_doubles(self) -> None:
        head = '<link rel="canonical" href="/towar">'
        pages: dict[str, Answer] = {"/": page("/towar?kolor=1", "/towar?kolor=2"), "/towar": page(head=head)}
        with WebSite(pages) as site:
            outcomes = crawl(site)
        assert paths(site, outcomes) == ["/", "/towar"]
        assert reasons(site, outcomes) == {"/towar?kolor=1": "duplicate", "/towar?kolor=2": "duplicate"}

    def test_two_that_name_each_other_are_not_both_lost(self) -> None:
        pages: dict[str, Answer] = {
            "/a": page("/b", head='<link rel="canonical" href="/b">'),
            "/b": page(head='<link rel="canonical" href="/a">'),
        }
        with WebSite(pages) as site:
            assert paths(site, crawl(site, "/a")) == ["/b"]

    @pytest.mark.parametrize("canonical", ["https://inna.pl/a", "/wykluczona", "javascript:x", "", "/a#x"])
    def test_one_that_will_not_be_read_takes_nothing_away(self, canonical: str) -> None:
        head = f'<link rel="canonical" href="{canonical}">'
        with WebSite({"/a": page(head=head)}) as site:
            assert paths(site, crawl(site, "/a", exclude=("/wykluczona",))) == ["/a"]


class TestRedirects:
    def test_the_final_address_counts_and_is_read_once(self) -> None:
        pages: dict[str, Answer] = {"/": page("/stara", "/nowa"), "/stara": redirect("/nowa", 301), "/nowa": page()}
        with WebSite(pages) as site:
            outcomes = crawl(site)
        assert sorted(paths(site, outcomes)) == ["/", "/nowa"]

    def test_a_document_that_moved_is_gone_from_its_old_address(self) -> None:
        with WebSite({"/": page(), "/stara": redirect("/nowa", 301), "/nowa": page()}) as site:
            outcomes = crawl(site, known={"/stara": Known()})
        assert paths(site, outcomes, Gone) == ["/stara"]
        assert "/nowa" in paths(site, outcomes)

    def test_one_to_another_site_is_not_followed_into_the_collection(self) -> None:
        with WebSite({"/": page("/a"), "/x": page()}) as site:
            other = f"http://localhost:{site.port}/x"
            site.pages["/a"] = redirect(other)  # type: ignore[index]
            outcomes = crawl(site)
        assert reasons(site, outcomes) == {"/a": "other_site"}

    @pytest.mark.parametrize("target", ["http://169.254.169.254/", "http://10.0.0.1/", "file:///etc/passwd", "/petla"])
    def test_traps_are_failures_of_that_page_alone(self, target: str) -> None:
        with WebSite({"/": page("/petla", "/b"), "/petla": redirect(target), "/b": page()}) as site:
            outcomes = crawl(site)
        assert paths(site, outcomes) == ["/", "/b"]
        assert paths(site, outcomes, FetchFailure) == ["/petla"]
