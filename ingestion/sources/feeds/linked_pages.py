"""Pages and files that entries of a feed lead to, read where they are new or their entry has changed."""

from collections.abc import Callable
from dataclasses import replace

from ingestion.sources.addresses import site_of
from ingestion.sources.documents import document_of
from ingestion.sources.types import FetchFailure, Known, Outcome, Skipped, Unchanged
from ingestion.sources.web.crawling import DOCUMENTS
from ingestion.sources.web.pace import PoliteFetcher
from ingestion.sources.web.pages import words_of
from ingestion.sources.web.robots import Robots, fetch_robots
from knowledgetree.credentials import Credential
from knowledgetree.fetching import Fetched, Fetcher, Validators
from knowledgetree.fetching.errors import FetchError, WrongMediaType

_PAGES = {"text/html", "application/xhtml+xml"}


class LinkedPages:
    """Each site's robots.txt is asked once; `delay` seconds pass between two requests. `key` goes to its own server."""

    def __init__(
        self,
        fetcher: Fetcher,
        *,
        delay: float,
        robots: bool,
        key: Credential | None,
        sleep: Callable[[float], None],
    ) -> None:
        self._fetcher = PoliteFetcher(fetcher, delay=delay, sleep=sleep, credential=key)
        self._asks_robots = robots
        self._robots: dict[str, Robots] = {}

    def read(self, url: str, *, title: str, mark: str, known: Known | None, said: str = "") -> Outcome:
        """The document at `url`. Unchanged without a request where its `mark` is that of the known version; `said` is
        the media type that the feed gives, "" where it gives none.
        """
        if known and known.etag == mark:
            return Unchanged(uri=url, version=known)
        if said and said not in DOCUMENTS:
            return Skipped(uri=url, reason="media_type")
        try:
            if not self._robots_of(url).allows(url):
                return Skipped(uri=url, reason="robots")
            fetched = self._fetcher.get(url, media_types=DOCUMENTS, validators=Validators())
        except WrongMediaType:
            return Skipped(uri=url, reason="media_type")
        except FetchError as error:
            return FetchFailure.because(url, error)
        assert isinstance(fetched, Fetched)  # noqa: S101  (without validators nothing else is given)
        if fetched.media_type in _PAGES and not words_of(fetched.text, url=url).indexed:
            return Skipped(uri=url, reason="noindex")
        found = document_of(url, fetched, title=title, known=known)
        return replace(found, version=replace(found.version, etag=mark, last_modified=""))

    def _robots_of(self, url: str) -> Robots:
        site = site_of(url)
        if site not in self._robots:
            self._robots[site] = fetch_robots(url, fetcher=self._fetcher.fetcher) if self._asks_robots else Robots()
            self._fetcher.delay = max(self._fetcher.delay, self._robots[site].delay)
        return self._robots[site]
