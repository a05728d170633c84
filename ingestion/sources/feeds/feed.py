"""Feeds: RSS and Atom, JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/), or any list of entries in JSON."""

import html
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from django.utils.translation import gettext as _

from ingestion.sources.addresses import normal
from ingestion.sources.feeds.linked_pages import LinkedPages
from ingestion.sources.feeds.syndication import is_markup, json_feed_of
from ingestion.sources.types import (
    FetchedDocument,
    FetchFailure,
    Gone,
    Known,
    Outcome,
    Skipped,
    Stopped,
    Unchanged,
    never,
)
from knowledgetree.credentials import Credential
from knowledgetree.fetching import Fetched, Fetcher
from knowledgetree.fetching.errors import BadReply, FetchError

_TYPES: Final = (
    "application/json", "application/feed+json", "application/rss+xml", "application/atom+xml", "application/rdf+xml",
    "application/xml", "text/*",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedFields:
    """Where things stand, as paths of keys with dots: `data.items`, `attributes.body`. `items` "": the whole reply is
    the list. Of `html` and `text` the first that is there counts.
    """

    items: str = "items"
    id: str = "id"
    url: str = "url"
    title: str = "title"
    html: str = "content_html"
    text: str = "content_text"
    modified: str = "date_modified"
    next: str = "next_url"


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedOptions:
    """`fields` count for JSON alone; RSS and Atom say themselves what is what. `complete`: the feed lists all there is,
    so that what it does not list any more is gone. `full_text`: an entry is the page that it leads to; `attachments`:
    its enclosures are documents too. `delay`: seconds between requests for these. `credential` is sent with each
    request to its own server.
    """

    fields: FeedFields = FeedFields()
    full_text: bool = False
    attachments: bool = False
    delay: float = 1.0
    robots: bool = True
    max_pages: int = 100
    max_items: int = 10_000
    complete: bool = False
    credential: Credential | None = None


def read_feed(
    url: str,
    *,
    fetcher: Fetcher,
    options: FeedOptions,
    known: Mapping[str, Known],
    stopped: Stopped = never,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[Outcome]:
    """Each entry as a document of its own, under its address, else under `url#id`. Nothing is raised.

    Pages and enclosures are fetched where they are new or their entry has changed.
    """
    listed, whole = set[str](), False
    pages = LinkedPages(fetcher, delay=options.delay, robots=options.robots, key=options.credential, sleep=sleep)
    try:
        for entry in _entries(url, fetcher, options, stopped):
            if entry is None:
                whole = True
                break
            for uri, outcome in _outcomes(entry, url, options, known, pages):
                if uri not in listed:
                    listed.add(uri)
                    yield outcome()
    except FetchError as error:
        yield FetchFailure.because(url, error)
        return
    if options.complete and whole:
        yield from (Gone(uri=uri) for uri in known if uri not in listed)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """`base` is the address of its page of the feed; `fields` say where things stand in `told`."""

    told: Mapping[str, Any]
    base: str
    fields: FeedFields


def _outcomes(
    entry: _Entry, feed: str, options: FeedOptions, known: Mapping[str, Known], pages: LinkedPages
) -> Iterator[tuple[str, Callable[[], Outcome]]]:
    """(URI, what reads it): an entry that was there already is not read twice."""
    uri, own = _uri(entry.told, entry.fields, base=entry.base, feed=feed), _address(entry)
    mark = Known.of(json.dumps(entry.told, sort_keys=True).encode()).checksum
    title = _words(entry.told, entry.fields.title)[:500]
    if options.full_text and own:
        yield uri, lambda: pages.read(own, title=title, mark=mark, known=known.get(uri))
    else:
        yield uri, lambda: _outcome(uri, entry.told, entry.fields, known.get(uri))
    for address, media_type in _attached(entry) if options.attachments else ():
        mark_of_file = Known.of(f"{address} {_words(entry.told, entry.fields.modified)}".encode()).checksum
        file = partial(pages.read, address, title="", mark=mark_of_file, known=known.get(address), said=media_type)
        yield address, file


def _attached(entry: _Entry) -> Iterator[tuple[str, str]]:
    """(address, media type) of each enclosure, as JSON Feed has them."""
    attachments = entry.told.get("attachments")
    for one in attachments if isinstance(attachments, list) else ():
        address = normal(_words(one, "url"), base=entry.base) if isinstance(one, dict) else ""
        if address:
            yield address, _words(one, "mime_type").lower()


def _address(entry: _Entry) -> str:
    address = _at(entry.told, entry.fields.url)
    return normal(address, base=entry.base) if isinstance(address, str) and address.strip() else ""


def _entries(url: str, fetcher: Fetcher, options: FeedOptions, stopped: Stopped) -> Iterator[_Entry | None]:
    """None at the end, if no limit came before it and everything could be read."""
    page, read, count, whole = normal(url) or url, set[str](), 0, True
    while page and page not in read and len(read) < options.max_pages:
        read.add(page)
        reply, fields, intact = _reply(page, fetcher, options)
        whole = whole and intact
        items = _at(reply, fields.items)
        if not isinstance(items, list):
            raise BadReply(_("The feed has no list at %(path)s.") % {"path": repr(fields.items)})
        for item in items:
            if stopped() or count >= options.max_items:
                return
            if isinstance(item, dict):
                count += 1
                yield _Entry(told=item, base=page, fields=fields)
        following = _at(reply, fields.next) if fields.next else None
        page = normal(following, base=page) if isinstance(following, str) and following else ""
    if not page and whole:
        yield None


def _reply(url: str, fetcher: Fetcher, options: FeedOptions) -> tuple[Any, FeedFields, bool]:
    """(a page of the feed, where things stand in it, whether nothing of it was damaged)."""
    fetched = fetcher.get(url, media_types=_TYPES, credential=options.credential)
    if not isinstance(fetched, Fetched):
        return None, options.fields, False
    if is_markup(fetched.content):
        told, intact = json_feed_of(fetched.content, url=url, charset=fetched.charset)
        return told, FeedFields(), intact
    try:
        return json.loads(fetched.text), options.fields, True
    except (ValueError, RecursionError) as error:
        raise BadReply(_("The feed is neither RSS nor Atom nor JSON.")) from error


def _at(value: Any, path: str) -> Any:
    """What stands at a path of keys; None where there is nothing."""
    for key in path.split(".") if path else ():
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _words(entry: Mapping[str, Any], path: str) -> str:
    value = _at(entry, path) if path else None
    if not isinstance(value, (str, int, float)):
        return ""
    return str(value).replace("\x00", "").encode("utf-8", errors="replace").decode().strip()


def _uri(entry: Mapping[str, Any], fields: FeedFields, *, base: str, feed: str) -> str:
    """Without an address and a number of its own an entry is known by what it says."""
    if found := _address(_Entry(told=entry, base=base, fields=fields)):
        return found
    number = _words(entry, fields.id) or Known.of(json.dumps(entry, sort_keys=True).encode()).checksum[:16]
    return normal(number) or f"{feed}#{number[:500]}"


def _outcome(uri: str, entry: Mapping[str, Any], fields: FeedFields, known: Known | None) -> Outcome:
    title, modified = _words(entry, fields.title)[:500], _words(entry, fields.modified)[:100]
    content, media_type = _content(entry, fields, title)
    if not content:
        return Skipped(uri=uri, reason="no_text")
    version = Known.of(content, last_modified=modified)
    if known and known.checksum == version.checksum:
        return Unchanged(uri=uri, version=version)
    name = "entry.html" if media_type == "text/html" else "entry.txt"
    return FetchedDocument(uri=uri, title=title, name=name, content=content, media_type=media_type, version=version)


def _content(entry: Mapping[str, Any], fields: FeedFields, title: str) -> tuple[bytes, str]:
    if markup := _words(entry, fields.html):
        heading = f"<title>{html.escape(title)}</title>"
        page = f'<!DOCTYPE html><html><head><meta charset="utf-8">{heading}</head><body>{markup}</body></html>'
        return page.encode(), "text/html"
    return _words(entry, fields.text).encode(), "text/plain"
