"""A page, the pages that a sitemap lists, or a whole site."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from django.utils.translation import gettext as _

from ingestion.sources.addresses import normal, site_of
from ingestion.sources.types import FetchFailure, Known, Outcome, Stopped, never
from ingestion.sources.web.crawling import Crawl, CrawlOptions
from ingestion.sources.web.sitemaps import sitemap_addresses
from knowledgetree.fetching import Fetcher
from knowledgetree.fetching.errors import FetchError, FetchRefused

Sleep = Callable[[float], None]


def read_page(
    url: str, *, fetcher: Fetcher, options: CrawlOptions, known: Mapping[str, Known], sleep: Sleep = time.sleep
) -> Iterator[Outcome]:
    """The page alone, and what else is known."""
    alone = replace(options, follow=False, sitemaps=False)
    return crawl(url, fetcher=fetcher, options=alone, known=known, sleep=sleep)


def crawl(
    url: str,
    *,
    fetcher: Fetcher,
    options: CrawlOptions,
    known: Mapping[str, Known],
    stopped: Stopped = never,
    sleep: Sleep = time.sleep,
) -> Iterator[Outcome]:
    """The site from `url` on: what its links and its sitemaps lead to. `known` are the documents that we have of it.

    Nothing is raised. Addresses of documents that failed the last time belong into `known` too, with an empty version.
    The links of a page that its server calls unchanged are those of the known version.
    """
    yield from _read(url, (), fetcher, options, known, stopped, sleep)


def read_sitemap(
    url: str,
    *,
    fetcher: Fetcher,
    options: CrawlOptions,
    known: Mapping[str, Known],
    stopped: Stopped = never,
    sleep: Sleep = time.sleep,
) -> Iterator[Outcome]:
    """The pages that the sitemap at `url` lists, of its own site, without following links."""
    try:
        listed = [page for page in sitemap_addresses(url, fetcher=fetcher) if site_of(page) == site_of(url)]
    except FetchError as error:
        yield FetchFailure.because(url, error)
        return
    alone = replace(options, follow=False, sitemaps=False)
    if listed:
        yield from _read(listed[0], listed[1:], fetcher, alone, known, stopped, sleep)


def _read(
    url: str,
    seeds: Iterable[str],
    fetcher: Fetcher,
    options: CrawlOptions,
    known: Mapping[str, Known],
    stopped: Stopped,
    sleep: Sleep,
) -> Iterator[Outcome]:
    reading = Crawl(fetcher=fetcher, options=options, known=known, stopped=stopped, sleep=sleep)
    try:
        if not (start := normal(url)):
            raise FetchRefused(_("This is no web address."))
        yield from reading.read(start, seeds)
    except FetchError as error:
        yield FetchFailure.because(url, error)
