"""A WebDAV server on 127.0.0.1 (wsgidav) over a folder, with the Share API of Nextcloud where a test gives shares, and
its numbers of files where a test wants them.

The Share API and the numbers are written from its documentation; what else wsgidav says is its own.
"""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from wsgidav.fs_dav_provider import FileResource, FilesystemProvider, FolderResource
from wsgidav.wsgidav_app import WsgiDAVApp

from tests.wsgi_server import WSGIServer

ACCOUNT, PASSWORD = "baza", "tajne hasło"
_FILES = f"/remote.php/dav/files/{ACCOUNT}"
_SHARES = "/ocs/v2.php/apps/files_sharing/api/v1/shares"

Reply = tuple[str, list[tuple[str, str]], bytes]


class _NumberedFile(FileResource):  # type: ignore[misc]  # it has no types
    """As in Nextcloud: https://docs.nextcloud.com/server/latest/developer_manual/client_apis/WebDAV/basic.html"""

    def get_etag(self) -> str:
        return f"{self.file_stat.st_ino:x}-{self.file_stat.st_mtime_ns:x}"

    def get_property_value(self, name: str) -> Any:
        if name == "{http://owncloud.org/ns}fileid":
            return str(self.file_stat.st_ino)
        return super().get_property_value(name)


class _NumberingFolder(FolderResource):  # type: ignore[misc]
    def get_member(self, name: str) -> Any:
        return _numbered(super().get_member(name))


class _NumberingProvider(FilesystemProvider):  # type: ignore[misc]
    def get_resource_inst(self, path: str, environ: dict[str, Any]) -> Any:
        return _numbered(super().get_resource_inst(path, environ))


def _numbered(resource: Any) -> Any:
    kinds = {FileResource: _NumberedFile, FolderResource: _NumberingFolder}
    if type(resource) in kinds:
        resource.__class__ = kinds[type(resource)]
    return resource


class WebDAVServer(WSGIServer):
    """`folder` is the account's files, `shares` the list that the Share API gives. `answer` may answer a request
    in the place of both. `numbers`: files have numbers that they keep, and ETags without their paths.
    """

    def __init__(self, folder: Path, *, numbers: bool = False) -> None:
        super().__init__()
        self.folder = folder
        self.shares: list[dict[str, Any]] = []
        self.answer: Callable[[str, str], Reply | None] = lambda method, path: None
        users = {ACCOUNT: {"password": PASSWORD}}
        self._dav = WsgiDAVApp(
            {
                "provider_mapping": {_FILES: _NumberingProvider(str(folder), fs_opts={}) if numbers else str(folder)},
                "simple_dc": {"user_mapping": {"*": users}},
                "http_authenticator": {"accept_basic": True, "accept_digest": False, "default_to_digest": False},
                "logging": {"enable": False},
                "verbose": 0,
            }
        )

    @property
    def location(self) -> str:
        return f"{self.url}{_FILES}/"

    def counted(self, method: str) -> int:
        return sum(one == method for one, _path in self.requests)

    def serve(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        reply = self.answer(method, path)
        if reply is None and path == _SHARES:
            said = {"ocs": {"meta": {"statuscode": 200}, "data": self.shares}}
            reply = ("200 OK", [("Content-Type", "application/json")], json.dumps(said).encode())
        if reply is None:
            answered: Iterable[bytes] = self._dav(environ, start)
            return answered
        status, headers, body = reply
        start(status, [("Content-Length", str(len(body))), *headers])
        return [body]
