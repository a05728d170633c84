"""Reads a site page by page: each address once, politely, within bounds."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from ingestion.sources.addresses import identity, normal
from ingestion.sources.documents import document_of
from ingestion.sources.types import FetchFailure, Gone, Known, Outcome, Skipped, SkipReason, Stopped, Unchanged
from ingestion.sources.web.frontier import Frontier
from ingestion.sources.web.pace import PoliteFetcher
from ingestion.sources.web.pages import PageWords, words_of
from ingestion.sources.web.robots import Robots, fetch_robots
from ingestion.sources.web.sitemaps import sitemap_addresses
from knowledgetree.fetching import Fetched, Fetcher, NotModified
from knowledgetree.fetching.errors import FetchError, HTTPFailure, WrongMediaType
from knowledgetree.fetching.types import WEB_PAGES

_OPENXML = "application/vnd.openxmlformats-officedocument"
DOCUMENTS: Final = (
    *sorted(WEB_PAGES),
    "application/pdf",
    "application/msword",
    "application/rtf",
    "application/vnd.ms-excel",
    "application/vnd.ms-outlook",
    "application/vnd.ms-powerpoint",
    "application/vnd.oasis.opendocument.presentation",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.oasis.opendocument.text",
    f"{_OPENXML}.wordprocessingml.document",
    f"{_OPENXML}.spreadsheetml.sheet",
    f"{_OPENXML}.presentationml.presentation",
    "message/rfc822",
    "text/csv",
    "text/markdown",
)

_GIVE_UP = 10  # failures in a row that are the site's
_HTML = {"text/html", "application/xhtml+xml"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlOptions:
    """At most `max_pages` are asked for, at most `max_depth` links away from the first; `delay` in seconds between
    requests, more where the site's robots.txt wants more. `include` and `exclude`: see `patterns.wanted`; the first
    page is read for its links even where it is not wanted. `sitemaps` and `follow`: where addresses come from besides.
    """

    max_pages: int = 500
    max_depth: int = 5
    delay: float = 1.0
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    robots: bool = True
    sitemaps: bool = True
    follow: bool = True
    media_types: tuple[str, ...] = DOCUMENTS


class Crawl:
    """One reading of a site. What is `known` and not met on the way is asked for at the end, so that it is either
    confirmed or gone.
    """

    def __init__(
        self,
        *,
        fetcher: Fetcher,
        options: CrawlOptions,
        known: Mapping[str, Known],
        stopped: Stopped,
        sleep: Callable[[float], None],
    ) -> None:
        self._frontier = Frontier(include=options.include, exclude=options.exclude)
        self._options, self._stopped = options, stopped
        self._fetcher = PoliteFetcher(fetcher, delay=options.delay, sleep=sleep)
        self._known = {identity(uri): (uri, version) for uri, version in known.items() if normal(uri)}
        self._settled: set[str] = set()  # identities of known documents about which something was said
        self._aside: set[str] = set()  # identities of pages that named another as the canonical one
        self._pages = self._failures = 0
        self._home = ""

    def read(self, start: str, seeds: Iterable[str]) -> Iterator[Outcome]:
        """From `start` on, with `seeds` of the same site and those of its sitemaps, where these are wanted.

        Ends without a word about the rest when it is stopped. Raises FetchError for a robots.txt that cannot be read.
        """
        self._welcome(start)
        if refusal := self._frontier.begin(start):
            yield from self._settling([Skipped(uri=self._version(start)[0], reason=refusal)])
        yield from self._read_frontier(pages=1)  # where it leads may be the site that the seeds are on
        for seed in chain(seeds, self._listed() if self._options.sitemaps else ()):
            yield from self._offered(seed, 1)
        yield from self._read_frontier()
        for uri, _ in self._unsettled():
            yield from self._offered(normal(uri), self._options.max_depth)
            yield from self._read_frontier()
        if not self._stopped():
            yield from self._left_out()

    def _welcome(self, url: str) -> None:
        """The site of the first page, and the one that it leads to: example.com is www.example.com."""
        self._home = url
        if self._frontier.robots_of(url) is None:
            robots = fetch_robots(url, fetcher=self._fetcher.fetcher) if self._options.robots else Robots()
            self._fetcher.delay = max(self._fetcher.delay, robots.delay)
            self._frontier.welcome(url, robots)

    def _listed(self) -> Iterator[str]:
        """What the sitemaps name that robots.txt names, else what the usual one does. None is needed."""
        robots = self._frontier.robots_of(self._home)
        for sitemap in (robots and robots.sitemaps) or ("/sitemap.xml",):
            with suppress(FetchError):
                yield from sitemap_addresses(normal(sitemap, base=self._home), fetcher=self._fetcher.fetcher)

    def _unsettled(self) -> Iterator[tuple[str, Known]]:
        """The known documents about which nothing was said yet."""
        return (entry for key, entry in self._known.items() if key not in self._settled)

    def _left_out(self) -> Iterator[Outcome]:
        """What was met or known, and not read any more."""
        reason: SkipReason = "given_up" if self._failures >= _GIVE_UP else "limit"
        while self._frontier:
            uri, _ = self._version(self._frontier.next()[0])
            yield from self._settling([Skipped(uri=uri, reason=reason)])
        yield from (Skipped(uri=uri, reason=reason) for uri, _ in self._unsettled())

    def _read_frontier(self, *, pages: int | None = None) -> Iterator[Outcome]:
        last = self._options.max_pages if pages is None else min(pages, self._options.max_pages)
        while self._frontier and not self._stopped() and self._pages < last and self._failures < _GIVE_UP:
            url, depth = self._frontier.next()
            self._pages += 1
            yield from self._settling(self._visit(url, depth))

    def _settling(self, outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
        for outcome in outcomes:
            self._settled.add(identity(outcome.uri))
            yield outcome

    def _offered(self, url: str, depth: int) -> Iterator[Outcome]:
        """Into the frontier, or why not. Of other sites only what is known is spoken of."""
        reason = self._frontier.offer(url, depth)
        uri, version = self._version(url)
        if reason and (version or reason != "other_site"):
            yield from self._settling([Skipped(uri=uri, reason=reason)])

    def _version(self, url: str) -> tuple[str, Known | None]:
        """The address under which the page is known, or its own, and the version that we have."""
        return self._known.get(identity(url), (url, None))

    def _visit(self, url: str, depth: int) -> Iterator[Outcome]:
        uri, version = self._version(url)
        if version and version.fresh:
            yield Unchanged(uri=uri, version=version)
            yield from self._followed(version.links, depth)
            return
        try:
            reply = self._fetcher.get(
                url, media_types=self._options.media_types, validators=(version or Known()).validators
            )
        except FetchError as error:
            self._failures = self._failures + 1 if error.retryable else 0
            yield _failure(uri, error, known=version is not None)
            return
        self._failures = 0
        if isinstance(reply, NotModified):
            kept, version = reply.validators, version or Known()
            yield Unchanged(uri=uri, version=replace(version, etag=kept.etag, last_modified=kept.last_modified))
            yield from self._followed(version.links, depth)
            return
        yield from self._read_page(url, reply, depth)

    def _read_page(self, url: str, reply: Fetched, depth: int) -> Iterator[Outcome]:
        final = normal(reply.final_url) or url
        if depth == 0:
            self._welcome(final)
        if identity(final) != identity(url):
            uri, version = self._version(url)
            if version:
                yield Gone(uri=uri)
            objection = self._frontier.objection(final)
            if depth == 0 and objection == "excluded":
                objection = None
            if objection or not self._frontier.meet(final):
                if not version:
                    yield Skipped(uri=url, reason=objection or "duplicate")
                return
        words = words_of(reply.text, url=final) if reply.media_type in _HTML else PageWords()
        links = words.links if self._options.follow and words.followed else ()
        yield from self._followed(links, depth)
        yield from self._judged(final, reply, replace(words, links=links), depth)

    def _followed(self, links: Iterable[str], depth: int) -> Iterator[Outcome]:
        if self._options.follow and depth < self._options.max_depth:
            for link in links:
                yield from self._offered(link, depth + 1)

    def _judged(self, url: str, reply: Fetched, words: PageWords, depth: int) -> Iterator[Outcome]:
        uri, version = self._version(url)
        if not words.indexed:
            yield Skipped(uri=uri, reason="noindex")
        elif not self._frontier.is_wanted(url):
            yield Skipped(uri=uri, reason="excluded")
        elif self._stands_aside(url, words.canonical, depth):
            yield Gone(uri=uri) if version else Skipped(uri=uri, reason="duplicate")
        else:
            yield document_of(uri, reply, title=words.title, known=version, links=words.links)

    def _stands_aside(self, url: str, canonical: str, depth: int) -> bool:
        """Whether another page, which is read instead, is the canonical one. Two that name each other both stay."""
        if not canonical or identity(canonical) == identity(url) or identity(canonical) in self._aside:
            return False
        if self._frontier.objection(canonical):
            return False
        self._frontier.offer(canonical, depth)
        self._aside.add(identity(url))
        return True


def _failure(uri: str, error: FetchError, *, known: bool) -> Outcome:
    if isinstance(error, HTTPFailure) and error.gone and known:
        return Gone(uri=uri)
    if isinstance(error, WrongMediaType):
        return Skipped(uri=uri, reason="media_type")
    return FetchFailure.because(uri, error)
