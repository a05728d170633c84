"""RSS and Atom, the pages that entries lead to, and what is attached to them."""

from typing import Any

import pytest

from ingestion.sources import (
    FeedOptions,
    FetchedDocument,
    FetchFailure,
    Gone,
    Known,
    Outcome,
    Skipped,
    Unchanged,
    read_feed,
)
from knowledgetree.credentials import Credential
from knowledgetree.fetching import Fetcher
from tests.web_site import Answer, Page, WebSite, redirect

feedparser = pytest.importorskip("feedparser", reason="feedparser is not installed")

RSS = """<?xml version="1.0" encoding="ISO-8859-2"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Urząd</title>
<item><title>Nabór &amp; wyniki</title><link>/nabor?utm_source=rss</link><guid isPermaLink="false">a1</guid>
<description>Krótko.</description>
<content:encoded><![CDATA[<p>Nabór trwa do 5 maja.</p><script>x()</script>]]></content:encoded>
<pubDate>Mon, 02 Mar 2026 10:00:00 +0100</pubDate>
<enclosure url="/pliki/regulamin.txt" type="text/plain" length="9"/>
<enclosure url="/pliki/odcinek.mp3" type="audio/mpeg" length="9"/></item>
<item><guid isPermaLink="false">bez adresu</guid><description>Sam opis zażółcony.</description></item>
</channel></rss>""".encode("iso-8859-2")
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>BIP</title><link rel="next" href="/feed?strona=2"/>
<entry><id>tag:a.pl,2026:1</id><title type="html">Uchwała &lt;b&gt;nr 5&lt;/b&gt;</title><link href="http://a.pl/5"/>
<updated>2026-03-01T10:00:00Z</updated><content type="text">Treść uchwały.</content></entry></feed>"""


def xml(body: str | bytes, media_type: str = "application/rss+xml") -> Page:
    return Page(body, media_type=media_type)


def read(site: WebSite, known: dict[str, Known] | None = None, **options: Any) -> list[Outcome]:
    wanted = FeedOptions(**{"delay": 0.0, **options})
    return list(read_feed(f"{site.url}/feed", fetcher=Fetcher(**site.access), options=wanted, known=known or {}))


def versions(outcomes: list[Outcome]) -> dict[str, Known]:
    return {one.uri: one.version for one in outcomes if isinstance(one, FetchedDocument)}


class TestEntries:
    def test_of_rss(self) -> None:
        with WebSite({"/feed": xml(RSS)}) as site:
            first, second = read(site)
            assert isinstance(first, FetchedDocument)
            assert (first.uri, first.title) == (f"{site.url}/nabor", "Nabór & wyniki")
            assert "Nabór trwa do 5 maja." in first.content.decode()
            assert "x()" not in first.content.decode()
            assert isinstance(second, FetchedDocument)
            assert (second.uri, "Sam opis zażółcony." in second.content.decode()) == (
                f"{site.url}/feed#bez adresu",
                True,
            )
            assert all(isinstance(one, Unchanged) for one in read(site, versions([first, second])))

    def test_of_atom_with_its_next_page(self) -> None:
        pages = {"/feed": xml(ATOM, "application/atom+xml"), "/feed?strona=2": xml(RSS, "text/xml")}
        with WebSite(pages) as site:
            outcomes = read(site)
        assert isinstance(outcomes[0], FetchedDocument)
        assert (outcomes[0].uri, outcomes[0].title) == ("http://a.pl/5", "Uchwała nr 5")
        assert (outcomes[0].media_type, outcomes[0].version.last_modified) == ("text/plain", "2026-03-01T10:00:00Z")
        assert len(outcomes) == 3

    def test_gone_is_what_a_whole_feed_does_not_list_any_more(self) -> None:
        known = {"https://a.pl/stary": Known()}
        with WebSite({"/feed": xml(RSS)}) as site:
            assert Gone(uri="https://a.pl/stary") in read(site, known, complete=True)
            assert not any(isinstance(one, Gone) for one in read(site, known))
            site.pages = {"/feed": xml(RSS[: RSS.index(b"<item><guid")])}
            cut = read(site, known, complete=True)
        assert [type(one) for one in cut] == [FetchedDocument]


class TestPages:
    @pytest.fixture
    def pages(self) -> dict[str, Answer]:
        return {
            "/feed": xml(RSS),
            "/nabor": Page("<html><head><title>Strona</title></head><body><p>Cały ogłoszony nabór.</p></body></html>"),
            "/pliki/regulamin.txt": Page("Regulamin", media_type="text/plain"),
        }

    def test_an_entry_is_the_page_that_it_leads_to_and_read_again_where_it_changed(self, pages: Any) -> None:
        with WebSite(pages) as site:
            outcomes = read(site, full_text=True)
            assert isinstance(outcomes[0], FetchedDocument)
            assert (outcomes[0].title, "Cały ogłoszony" in outcomes[0].content.decode()) == ("Nabór & wyniki", True)
            before = len(site.requests)
            assert all(isinstance(one, Unchanged) for one in read(site, versions(outcomes), full_text=True))
            assert len(site.requests) == before + 1
            site.pages = {**pages, "/feed": xml(RSS.replace(b"5 maja", b"9 maja"))}
            assert isinstance(read(site, versions(outcomes), full_text=True)[0], Unchanged)  # the page itself did not
            assert site.paths[-1] == "/nabor"

    def test_enclosures_are_documents_of_their_own(self, pages: Any) -> None:
        with WebSite(pages) as site:
            outcomes = read(site, attachments=True)
            files = {one.uri: one for one in outcomes}
            regulamin = files[f"{site.url}/pliki/regulamin.txt"]
            assert isinstance(regulamin, FetchedDocument)
            assert (regulamin.name, regulamin.content) == ("regulamin.txt", b"Regulamin")
            assert files[f"{site.url}/pliki/odcinek.mp3"] == Skipped(
                uri=f"{site.url}/pliki/odcinek.mp3", reason="media_type"
            )
            assert "/pliki/odcinek.mp3" not in site.paths
            again = {one.uri: one for one in read(site, versions(outcomes), attachments=True)}
            assert isinstance(again[regulamin.uri], Unchanged)
            assert site.paths.count("/pliki/regulamin.txt") == 1

    def test_robots_and_failures_leave_the_rest(self, pages: Any) -> None:
        robots = Page("User-agent: *\nDisallow: /nabor", media_type="text/plain")
        with WebSite({**pages, "/robots.txt": robots}) as site:
            assert read(site, full_text=True)[0] == Skipped(uri=f"{site.url}/nabor", reason="robots")
            assert isinstance(read(site, full_text=True, robots=False)[0], FetchedDocument)
            site.pages = {**pages, "/nabor": Page(status=500)}
            failed, other = read(site, full_text=True)
        assert isinstance(failed, FetchFailure)
        assert isinstance(other, FetchedDocument)

    def test_a_page_within_reach_is_all_that_is_fetched_and_gets_the_key_of_its_server(self, pages: Any) -> None:
        with WebSite({**pages, "/nabor": redirect("http://10.0.0.1/")}) as site:
            key = Credential(origin=site.url, secret="Bearer abc")
            assert isinstance(read(site, full_text=True, credential=key)[0], FetchFailure)
            sent = {one.path: one.headers["Authorization"] for one in site.requests}
        assert sent == {"/feed": "Bearer abc", "/robots.txt": None, "/nabor": "Bearer abc"}


@pytest.mark.parametrize(
    "body",
    [
        "<html><body>Nie kanał</body></html>",
        "<",
        "<rss",
        '<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/passwd">]><html>&a;</html>',
    ],
)
def test_what_is_no_feed_is_one_failure(body: str) -> None:
    with WebSite({"/feed": xml(body, "application/xml")}) as site:
        (outcome,) = read(site, {"https://a.pl/stary": Known()}, complete=True)
    assert isinstance(outcome, FetchFailure)


def test_entities_of_a_feed_open_no_files() -> None:
    body = (
        '<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/passwd">]><rss version="2.0"><channel><item><title>&a;</title>'
    )
    body += "<description>Opis &a;</description></item></channel></rss>"
    with WebSite({"/feed": xml(body)}) as site:
        assert not any("root:" in one.content.decode() for one in read(site) if isinstance(one, FetchedDocument))
