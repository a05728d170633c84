"""Pages with links, and a reading of the site they make."""

from collections.abc import Iterable
from typing import Any

from ingestion.sources import CrawlOptions, FetchedDocument, Known, Outcome, Skipped
from ingestion.sources import crawl as crawl_site
from knowledgetree.fetching import Fetcher, Limits
from tests.web_site import Page, WebSite

NO_DELAY = {"delay": 0.0}


def page(*links: str, title: str = "Strona", head: str = "", text: str = "", **options: Any) -> Page:
    anchors = "".join(f'<a href="{link}">dalej</a>' for link in links)
    return Page(f"<html><head><title>{title}</title>{head}</head><body><p>{text}</p>{anchors}</body></html>", **options)


def crawl(
    site: WebSite, start: str = "/", *, known: dict[str, Known] | None = None, reader: Any = crawl_site, **options: Any
) -> list[Outcome]:
    fetcher = Fetcher(limits=Limits(seconds=1.0), **site.access)
    wanted = CrawlOptions(**{**NO_DELAY, **options})
    full = {site.url + path: version for path, version in (known or {}).items()}
    return list(reader(site.url + start, fetcher=fetcher, options=wanted, known=full))


def paths(site: WebSite, outcomes: Iterable[Outcome], kind: type = FetchedDocument) -> list[str]:
    return [outcome.uri.removeprefix(site.url) for outcome in outcomes if isinstance(outcome, kind)]


def reasons(site: WebSite, outcomes: Iterable[Outcome]) -> dict[str, str]:
    return {o.uri.removeprefix(site.url): o.reason for o in outcomes if isinstance(o, Skipped)}
