"""A WebDAV server on 127.0.0.1 (wsgidav) over a folder, with the Share API of Nextcloud where a test gives shares.

The Share API is written from its documentation; what wsgidav says is its own.
"""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from wsgidav.wsgidav_app import WsgiDAVApp

from tests.wsgi_server import WSGIServer

ACCOUNT, PASSWORD = "baza", "tajne hasło"
_FILES = f"/remote.php/dav/files/{ACCOUNT}"
_SHARES = "/ocs/v2.php/apps/files_sharing/api/v1/shares"

Reply = tuple[str, list[tuple[str, str]], bytes]


class WebDAVServer(WSGIServer):
    """`folder` is the account's files, `shares` the list that the Share API gives. `answer` may answer a request
    in the place of both.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.shares: list[dict[str, Any]] = []
        self.answer: Callable[[str, str], Reply | None] = lambda method, path: None
        users = {ACCOUNT: {"password": PASSWORD}}
        self._dav = WsgiDAVApp(
            {
                "provider_mapping": {_FILES: str(folder)},
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
