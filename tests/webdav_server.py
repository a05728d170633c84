"""A WebDAV server on 127.0.0.1 (wsgidav) over a folder, with the Share API of Nextcloud where a test gives shares.

The Share API is written from its documentation; what wsgidav says is its own.
"""

import json
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from cheroot import wsgi
from wsgidav.wsgidav_app import WsgiDAVApp

ACCOUNT, PASSWORD = "baza", "tajne hasło"
_FILES = f"/remote.php/dav/files/{ACCOUNT}"
_SHARES = "/ocs/v2.php/apps/files_sharing/api/v1/shares"

Reply = tuple[str, list[tuple[str, str]], bytes]


class WebDAVServer:
    """`folder` is the account's files. `answer` may answer a request in the place of wsgidav; `requests` has methods
    and paths. `shares` is the list that the Share API gives.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.shares: list[dict[str, Any]] = []
        self.requests: list[tuple[str, str]] = []
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
        self.http = wsgi.Server(("127.0.0.1", 0), self._serve, numthreads=4)
        self.http.expiration_interval = 0.02  # seconds; how often it looks whether it should end
        self.http.prepare()
        self._thread = threading.Thread(target=self.http.serve, daemon=True)

    @property
    def port(self) -> int:
        return int(self.http.bind_addr[1])

    @property
    def location(self) -> str:
        return f"http://127.0.0.1:{self.port}{_FILES}/"

    def counted(self, method: str) -> int:
        return sum(one == method for one, _path in self.requests)

    def _serve(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        self.requests.append((method, path))
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

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.http.stop()
        self._thread.join()
