"""What the servers of the tests have in common that are programs of WSGI: cheroot on 127.0.0.1 while a `with` lasts."""

import threading
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Self

from cheroot import wsgi


class WSGIServer:
    """`requests` has methods and paths; `serve` says what each comes to."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str]] = []
        self._http = wsgi.Server(("127.0.0.1", 0), self._serve, numthreads=4)
        self._http.expiration_interval = 0.02  # seconds; how often it looks whether it should end
        self._http.prepare()
        self._thread = threading.Thread(target=self._http.serve, daemon=True)

    def serve(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        raise NotImplementedError

    @property
    def port(self) -> int:
        return int(self._http.bind_addr[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _serve(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        self.requests.append((environ["REQUEST_METHOD"], environ["PATH_INFO"]))
        return self.serve(environ, start)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.stop()
        self._thread.join()
