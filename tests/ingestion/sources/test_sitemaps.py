"""Sitemaps, good and hostile."""

import gzip
from contextlib import suppress

import pytest

from ingestion.sources.web.sitemaps import sitemap_addresses
from knowledgetree.fetching import Fetcher
from knowledgetree.fetching.errors import FetchError
from tests.web_site import Page, WebSite

NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
XML = "application/xml"


def urlset(*addresses: str) -> str:
    listed = "".join(f"<url><loc> {address} </loc><lastmod>2026-01-01</lastmod></url>" for address in addresses)
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset {NAMESPACE}>{listed}</urlset>'


def index(*addresses: str) -> str:
    listed = "".join(f"<sitemap><loc>{address}</loc></sitemap>" for address in addresses)
    return f"<sitemapindex {NAMESPACE}>{listed}</sitemapindex>"


def read(site: WebSite, path: str = "/sitemap.xml") -> list[str]:
    return list(sitemap_addresses(site.url + path, fetcher=Fetcher(**site.access)))


def test_addresses_are_given_in_order() -> None:
    page = Page("\ufeff" + urlset("https://a.pl/1?utm_source=x", "/2", "mailto:a@b"), media_type=XML)
    with WebSite({"/sitemap.xml": page}) as site:
        assert read(site) == ["https://a.pl/1", site.url + "/2"]


def test_lists_of_lists_and_packed_ones() -> None:
    pages = {
        "/sitemap.xml": Page(index("/a.xml.gz", "/nie-ma.xml", "/b.txt", "/sitemap.xml"), media_type=XML),
        "/a.xml.gz": Page(gzip.compress(urlset("https://a.pl/1").encode()), media_type="application/gzip"),
        "/b.txt": Page("https://a.pl/2\n\nhttps://a.pl/3\n", media_type="text/plain"),
    }
    with WebSite(pages) as site:
        assert read(site) == ["https://a.pl/1", "https://a.pl/2", "https://a.pl/3"]


def test_a_ring_of_lists_ends() -> None:
    pages = {
        "/sitemap.xml": Page(index("/b.xml"), media_type=XML),
        "/b.xml": Page(index("/sitemap.xml"), media_type=XML),
    }
    with WebSite(pages) as site:
        assert read(site) == []
    assert len(site.requests) == 2


def test_a_list_that_grows_at_every_look_ends() -> None:
    class Growing(dict[str, Page]):
        def get(self, path: str, default: object = None) -> Page:  # type: ignore[override]
            return Page(index(*(f"{path}{n}" for n in range(5))), media_type=XML)

    with WebSite(Growing()) as site:
        assert read(site) == []
    assert len(site.requests) <= 60


def test_a_billion_laughs_stay_one() -> None:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<!DOCTYPE x [<!ENTITY l0 "ha">{entities}]>' + urlset("https://a.pl/&l9;").partition("?>")[2]
    with WebSite({"/sitemap.xml": Page(bomb, media_type=XML)}) as site, suppress(FetchError):
        assert all(len(address) < 100 for address in read(site))


def test_entities_do_not_read_files() -> None:
    doctype = '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    text = doctype + urlset("https://a.pl/&f;").partition("?>")[2]
    with WebSite({"/sitemap.xml": Page(text, media_type=XML)}) as site:
        assert not any("root" in address for address in read(site))


@pytest.mark.parametrize(
    "page",
    [
        Page("<urlset><url>", media_type=XML),
        Page(gzip.compress(b"x" * 60_000_000), media_type="application/gzip"),
        Page(b"\x1f\x8bnot gzip", media_type="application/gzip"),
        Page(status=500),
        Page(b"\x00" * 2000, media_type="image/png"),
    ],
)
def test_one_that_cannot_be_read_is_an_error_of_ours(page: Page) -> None:
    with WebSite({"/sitemap.xml": page}) as site, pytest.raises(FetchError):
        read(site)
