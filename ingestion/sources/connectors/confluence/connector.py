"""Confluence by its REST API: pages and attachments are searched by CQL, and read where their version is another one.

Everything is listed each time, a hundred to a request: a search for what changed lately would name neither what was
deleted nor a page that was restricted since.
"""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import parse_qs, quote, urlsplit

import httpx
from django.utils.translation import gettext as _
from pydantic import TypeAdapter, ValidationError

from ingestion.sources.connectors.confluence.content import Content, ContentPage, FoundSpaces, readers_of
from ingestion.sources.connectors.errors import AccessDenied, ItemVanished, http_error, item_too_large
from ingestion.sources.connectors.protocol import Change, ItemContent, ListedItem, ListingEnd, RemotePlace
from ingestion.sources.types import Principals, Told
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import BadReply, FetchFailed, FetchRefused
from knowledgetree.fetching.fetcher import USER_AGENT
from knowledgetree.fetching.transport import GuardedTransport

_MAX_REPLY: Final = 200_000_000  # bytes; files are bound by who fetches them
_SEARCH: Final = "rest/api/content/search"
_TOLD: Final = (
    "version,space,container,ancestors,extensions,restrictions.read.restrictions.user,"
    "restrictions.read.restrictions.group"
)
_KEY = re.compile(r"[A-Za-z0-9_~.-]{1,255}")
_PAGE_PATH = re.compile(r"spaces/[^/]+/pages/(\d+)")


class ConfluenceConnector:
    """Pages as `spaces/KEY/pages/12`, attachments as `download/attachments/12/name`: such are their addresses there."""

    page_items = 100
    """Of one request."""

    def __init__(self, place: RemotePlace, guard: AddressGuard) -> None:
        self._base = f"{place.location.rstrip('/')}/"
        self._keys = [key.strip() for key in place.settings.get("spaces", "").split(",") if key.strip()]
        if wrong := [key for key in self._keys if not _KEY.fullmatch(key)]:
            raise FetchRefused(_("%(key)s is no key of a space.") % {"key": repr(wrong[0])})
        headers = {"User-Agent": USER_AGENT, "Accept": "application/json", "Accept-Encoding": "identity"}
        if place.secret and not place.user:
            headers["Authorization"] = f"Bearer {place.secret}"
        self._http = httpx.Client(
            auth=httpx.BasicAuth(place.user, place.secret) if place.user else None,
            headers=headers,
            transport=GuardedTransport(guard, max_bytes=_MAX_REPLY),
            trust_env=False,
        )
        self._pages: dict[str, Content] = {}
        self._page_of: dict[str, str] = {}

    def check(self) -> None:
        """A space that the account does not see is no empty one."""
        self._search("type = page", limit=1)
        for key in self._keys:
            query = {"cql": f'type = space and space = "{key}"', "limit": "1"}
            if not self._json("rest/api/search", query, FoundSpaces).results:
                raise AccessDenied(_("The account does not see the space %(key)s.") % {"key": repr(key)})

    def changes(self, cursor: str) -> Iterator[Change]:
        self.check()
        self._pages.clear()
        self._page_of.clear()
        for one in self._all():
            if one.type == "page" and one.space:
                self._pages[one.id] = one
                path, page = f"spaces/{one.space.key}/pages/{one.id}", one.id
            elif one.type == "attachment" and one.container:
                path, page = f"download/attachments/{one.container.id}/{_file_name(one.title)}", one.container.id
            else:
                continue
            if path not in self._page_of:
                self._page_of[path] = page
                yield ListedItem(path=path, version=f"{one.id}.{one.version.number}", size=one.extensions.fileSize)
        yield ListingEnd(complete=True)

    def fetch(self, item: ListedItem, *, max_bytes: int) -> ItemContent:
        if found := _PAGE_PATH.fullmatch(item.path):
            return self._page(found[1], max_bytes)
        return ItemContent(content=self._file(item.path, max_bytes), version=item.version)

    def rights(self, items: Sequence[ListedItem]) -> Mapping[str, Principals | None]:
        """By the restrictions that the last listing told."""
        return {item.path: readers_of(self._page_of.get(item.path, ""), self._pages) for item in items}

    def _all(self) -> Iterator[Content]:
        """Each page of the list overlaps the one before by an entry: where that is another one, something was deleted
        meanwhile and something else would be left out.
        """
        spaces = f" and space in ({', '.join(map(_quoted, self._keys))})" if self._keys else ""
        cql = f"type in (page, attachment){spaces} order by created asc"
        count, last, cursor = 0, "", ""
        while True:
            overlap = 1 if count and not cursor else 0
            page = self._search(cql, limit=self.page_items + overlap, start=count - overlap, cursor=cursor)
            if overlap and (not page.results or page.results[0].id != last):
                raise FetchFailed(_("The list changed while it was read."))
            new = page.results[overlap:]
            yield from new
            count, last = count + len(new), new[-1].id if new else last
            cursor = next(iter(parse_qs(urlsplit(page.links.next).query).get("cursor", [])), "")
            if not new or not page.links.next:
                return

    def _search(self, cql: str, *, limit: int, start: int = 0, cursor: str = "", told: str = _TOLD) -> ContentPage:
        where = {"cursor": cursor} if cursor else {"start": str(start)}
        found: ContentPage = self._json(
            _SEARCH, {"cql": cql, "limit": str(limit), "expand": told, **where}, ContentPage
        )
        return found

    def _page(self, number: str, max_bytes: int) -> ItemContent:
        found = self._search(f"id = {number}", limit=1, told="version,body.view").results
        if not found or found[0].body is None:
            raise ItemVanished(_("The server has no such file."))
        page = found[0]
        title, text = html.escape(page.title), page.body.view.value if page.body else ""
        content = (
            f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title}</title></head>'
            f"<body><h1>{title}</h1>{text}</body></html>"
        ).encode()
        if len(content) > max_bytes:
            raise item_too_large(max_bytes)
        name = f"{_file_name(page.title)[:150]}.html"
        version = f"{page.id}.{page.version.number}"
        return ItemContent(content=content, version=version, name=name, told=Told(title=page.title))

    def _file(self, path: str, max_bytes: int) -> bytes:
        """The cloud leads on to where it keeps files; httpx gives the password to nobody else."""
        with self._http.stream("GET", f"{self._base}{quote(path)}", follow_redirects=True) as reply:
            _require(reply)
            content = bytearray()
            for piece in reply.iter_raw():
                content += piece
                if len(content) > max_bytes:
                    raise item_too_large(max_bytes)
        return bytes(content)

    def _json(self, path: str, query: Mapping[str, str], shape: Any) -> Any:
        reply = self._http.get(f"{self._base}{path}", params=dict(query))
        _require(reply)
        try:
            return TypeAdapter(shape).validate_json(reply.content)
        except ValidationError as error:
            raise BadReply(_("The server does not answer as Confluence does.")) from error


def _require(reply: httpx.Response) -> None:
    if not reply.is_success:
        raise http_error(reply.status_code, retry_after=reply.headers.get("retry-after", ""))


def _quoted(key: str) -> str:
    return f'"{key}"'


def _file_name(title: str) -> str:
    return " ".join(title.replace("/", "_").replace("\\", "_").split()) or "_"
