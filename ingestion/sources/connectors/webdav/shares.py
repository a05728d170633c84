"""Who may read what in Nextcloud, by its Share API.

https://docs.nextcloud.com/server/latest/developer_manual/client_apis/OCS/ocs-share-api.html
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Annotated, Any, Final, Self
from urllib.parse import unquote, urlsplit

import httpx
from django.utils.translation import gettext as _
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from ingestion.sources.connectors.errors import UnknownRights, http_error
from ingestion.sources.connectors.protocol import RemotePlace
from ingestion.sources.types import Principal, Principals
from knowledgetree.fetching.errors import BadReply

_FILES: Final = "/remote.php/dav/files/"
_OLD: Final = "/remote.php/webdav/"
_API: Final = "/ocs/v2.php/apps/files_sharing/api/v1/shares?format=json&reshares=true"
_USER, _GROUP = 0, 1  # types of shares; links, mail and federated clouds make nobody here a reader
_READ = 1  # the bit of the permissions


class _Share(BaseModel):
    share_type: int
    share_with: str | None = None
    path: str
    permissions: int = 0


class _ListOfShares(BaseModel):
    data: Annotated[list[_Share], Field(max_length=100_000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """By the paths in the account's files that were shared, with whom. `root`: the path of the source there."""

    owner: Principal
    root: PurePosixPath
    readers_by_path: Mapping[PurePosixPath, Principals]

    @classmethod
    def of(cls, http: httpx.Client, place: RemotePlace) -> Self:
        """Raises UnknownRights for a place that is no folder of a Nextcloud account, and what the transport raises."""
        server, owner, root = _nextcloud(place)
        reply = http.get(f"{server}{_API}", headers={"OCS-APIRequest": "true", "Accept": "application/json"})
        if not reply.is_success:
            raise http_error(reply.status_code, retry_after=reply.headers.get("retry-after", ""))
        try:
            shares = TypeAdapter(dict[str, Any]).validate_json(reply.content).get("ocs")
            read = _ListOfShares.model_validate(shares).data
        except ValidationError as error:
            raise BadReply(_("The server does not answer as Nextcloud does.")) from error
        return cls(owner=Principal(kind="user", name=owner), root=root, readers_by_path=_by_path(read))

    def readers(self, path: str) -> Principals:
        """The account itself, and those with whom the file or a folder above it is shared."""
        place = self.root / path
        above = (self.readers_by_path.get(one, frozenset()) for one in (place, *place.parents))
        return frozenset({self.owner}).union(*above)


def _nextcloud(place: RemotePlace) -> tuple[str, str, PurePosixPath]:
    """(server, account, path below the account's files)."""
    parts = urlsplit(place.location)
    for marker in (_FILES, _OLD):
        before, found, after = parts.path.partition(marker)
        if found:
            owner, _slash, below = after.partition("/") if marker == _FILES else (place.user, "", after)
            server = f"{parts.scheme}://{parts.netloc}{before}"
            return server, unquote(owner), PurePosixPath("/", unquote(below))
    raise UnknownRights(_("This server does not tell who may read its files; Nextcloud does."))


def _by_path(shares: Iterable[_Share]) -> dict[PurePosixPath, Principals]:
    found: dict[PurePosixPath, Principals] = {}
    for share in shares:
        if share.share_type in {_USER, _GROUP} and share.share_with and share.permissions & _READ:
            kind = Principal(kind="group" if share.share_type == _GROUP else "user", name=share.share_with)
            path = PurePosixPath("/", share.path.lstrip("/"))
            found[path] = found.get(path, frozenset()) | {kind}
    return found
