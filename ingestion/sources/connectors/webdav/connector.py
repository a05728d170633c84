"""WebDAV (RFC 4918) by webdav4: folders are listed one by one, files fetched where their ETag is another one."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import webdav4.client
from django.utils.translation import gettext as _

from ingestion.sources.connectors.errors import ItemVanished, http_error, item_too_large
from ingestion.sources.connectors.folders import FolderEntry, walk_folders
from ingestion.sources.connectors.protocol import Change, ItemContent, ListedItem, RemotePlace
from ingestion.sources.connectors.webdav.shares import Shares
from ingestion.sources.types import Principals
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import BadReply
from knowledgetree.fetching.fetcher import USER_AGENT
from knowledgetree.fetching.transport import GuardedTransport

_FILE_ID = "{http://owncloud.org/ns}fileid"
_ASKED = (
    '<?xml version="1.0" encoding="utf-8"?><d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop>'
    "<d:resourcetype/><d:getetag/><d:getlastmodified/><d:getcontentlength/><oc:fileid/></d:prop></d:propfind>"
)
_MAX_LISTING = 200_000_000  # bytes of one reply, whatever it is; files are bound by who fetches them


class WebDAVConnector:
    """The files below a folder. A folder that was deleted while it was listed has no files."""

    def __init__(self, place: RemotePlace, guard: AddressGuard) -> None:
        self._place = place
        self._http = webdav4.client.HTTPClient(
            auth=(place.user, place.secret) if place.user else None,
            headers={"User-Agent": USER_AGENT, "Accept-Encoding": "identity"},
            transport=GuardedTransport(guard, max_bytes=_MAX_LISTING),
            trust_env=False,
        )
        self._client = webdav4.client.Client(place.location, http_client=self._http, retry=False)

    def check(self) -> None:
        self._entries("")

    def changes(self, cursor: str) -> Iterator[Change]:
        return walk_folders(self._entries)

    def fetch(self, item: ListedItem, *, max_bytes: int) -> ItemContent:
        url = self._client.join_url(quote(item.path))
        with _translated(), self._http.stream("GET", str(url)) as reply:
            if not reply.is_success:
                raise http_error(reply.status_code, retry_after=reply.headers.get("retry-after", ""))
            content = bytearray()
            for piece in reply.iter_raw():
                content += piece
                if len(content) > max_bytes:
                    raise item_too_large(max_bytes)
            etag = reply.headers.get("etag", "")
        # Servers that say one thing in listings and another in replies would be read anew each time.
        return ItemContent(content=bytes(content), version=_version(etag) if etag else item.version)

    def rights(self, items: Sequence[ListedItem]) -> Mapping[str, Principals | None]:
        shares = Shares.of(self._http, self._place)
        return {item.path: shares.readers(item.path) for item in items}

    def _entries(self, folder: str) -> list[FolderEntry]:
        """A reply that does not name the folder itself is no listing of it: an empty page would be taken for an empty
        folder. What it names elsewhere keeps its `/`, and so leads nowhere.
        """
        with _translated():
            headers = {"Depth": "1", "Content-Type": "application/xml"}
            told = self._client.propfind(quote(folder), _ASKED, headers, follow_redirects=True).responses
        own_path = f"{self._client.base_url.path.rstrip('/')}/{folder}".rstrip("/")
        if (own := told.pop(own_path or "/", None)) is None or not own.properties.collection:
            raise BadReply(_("The server does not answer as WebDAV does."))
        return [_entry(path.removeprefix(f"{own_path}/"), one.properties) for path, one in told.items()]


def _entry(name: str, told: Any) -> FolderEntry:
    """Nextcloud and ownCloud number files, and keep number and ETag of one that is renamed or moved."""
    number = told.response_xml.findtext(f".//{_FILE_ID}") or ""
    return FolderEntry(
        name=name,
        is_folder=told.collection,
        version=_version_of(told),
        size=told.content_length,
        identity=number if told.etag and not told.collection else "",
    )


def _version_of(told: Any) -> str:
    if told.etag:
        return _version(told.etag)
    return f"{told.modified.isoformat()}:{told.content_length}" if told.modified else ""


def _version(etag: str) -> str:
    """Weak and strong alike, quoted or not: listings and replies differ in that."""
    return etag.strip().removeprefix("W/").strip('"')


@contextmanager
def _translated() -> Iterator[None]:
    """What webdav4 raises as errors of ours; the transport raises those already."""
    try:
        yield
    except webdav4.client.ResourceNotFound as error:
        raise ItemVanished(_("The server has no such file.")) from error
    except webdav4.client.HTTPError as error:
        raise http_error(error.status_code, retry_after=error.response.headers.get("retry-after", "")) from error
    except webdav4.client.BadGatewayError as error:
        raise http_error(502) from error
    except webdav4.client.ClientError as error:
        raise BadReply(_("The server does not answer as WebDAV does."), detail=str(error)[:200]) from error
    except (ValueError, AssertionError, SyntaxError) as error:  # of webdav4, by XML that is none
        raise BadReply(_("The server does not answer as WebDAV does.")) from error
