"""JSON feeds: JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/), or any list of entries in JSON."""

import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from ingestion.sources.addresses import normal
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

_TYPES: Final = ("application/json", "application/feed+json", "text/*")


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
    """`complete`: the feed lists all there is, so that what it does not list any more is gone. `credential` is sent
    with each request to its own server.
    """

    fields: FeedFields = FeedFields()
    max_pages: int = 100
    max_items: int = 10_000
    complete: bool = False
    credential: Credential | None = None


def read_feed(
    url: str, *, fetcher: Fetcher, options: FeedOptions, known: Mapping[str, Known], stopped: Stopped = never
) -> Iterator[Outcome]:
    """Each entry as a document of its own, under its address, else under `url#id`. Nothing is raised."""
    listed, whole = set[str](), False
    try:
        for entry, base in _entries(url, fetcher, options, stopped):
            if entry is None:
                whole = True
                break
            uri = _uri(entry, options.fields, base=base, feed=url)
            if uri not in listed:
                listed.add(uri)
                yield _outcome(uri, entry, options.fields, known.get(uri))
    except FetchError as error:
        yield FetchFailure.because(url, error)
        return
    if options.complete and whole:
        yield from (Gone(uri=uri) for uri in known if uri not in listed)


def _entries(
    url: str, fetcher: Fetcher, options: FeedOptions, stopped: Stopped
) -> Iterator[tuple[Mapping[str, Any] | None, str]]:
    """(entry, address of its page of the feed); an entry None at the end, if no limit came before it."""
    page, read, count = normal(url) or url, set[str](), 0
    while page and page not in read and len(read) < options.max_pages:
        read.add(page)
        reply = _reply(page, fetcher, options.credential)
        items = _at(reply, options.fields.items)
        if not isinstance(items, list):
            raise BadReply(_("The feed has no list at %(path)s.") % {"path": repr(options.fields.items)})
        for item in items:
            if stopped() or count >= options.max_items:
                return
            if isinstance(item, dict):
                count += 1
                yield item, page
        following = _at(reply, options.fields.next) if options.fields.next else None
        page = normal(following, base=page) if isinstance(following, str) and following else ""
    if not page:
        yield None, ""


def _reply(url: str, fetcher: Fetcher, credential: Credential | None) -> Any:
    fetched = fetcher.get(url, media_types=_TYPES, credential=credential)
    try:
        return json.loads(fetched.text) if isinstance(fetched, Fetched) else None
    except (ValueError, RecursionError) as error:
        raise BadReply(_("The feed is no JSON.")) from error


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
    address = _at(entry, fields.url)
    if isinstance(address, str) and address.strip() and (found := normal(address, base=base)):
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
