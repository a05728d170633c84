"""Git's own server (`git http-backend`) on 127.0.0.1, over one bare repository and behind a password."""

import base64
import os
import subprocess
from collections.abc import Iterable
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Any

from tests.wsgi_server import WSGIServer

TOKEN = "tajny-token"
_NAME = "regulaminy.git"
_WHO = "Kadry <kadry@example.pl> 1700000000 +0000"


class GitServer(WSGIServer):
    def __init__(self, home: Path) -> None:
        super().__init__()
        self.home = home
        self._git("init", "--quiet", "--bare", "--initial-branch=main", str(home / _NAME))
        self._git("-C", str(home / _NAME), "config", "uploadpack.allowFilter", "true")

    @property
    def location(self) -> str:
        return f"{self.url}/{_NAME}"

    def commit(self, files: dict[str, bytes | None], *, branch: str = "main") -> None:
        """One commit on a branch: each file is written, or deleted where it is None."""
        reference = f"refs/heads/{branch}"
        said = [f"commit {reference}\ncommitter {_WHO}\ndata 5\nzmian\n".encode()]
        if (self.home / _NAME / reference).exists():
            said.append(f"from {reference}^0\n".encode())
        for path, content in files.items():
            if content is None:
                said.append(f"D {path}\n".encode())
            else:
                said += [f"M 100644 inline {path}\ndata {len(content)}\n".encode(), content, b"\n"]
        self._git("-C", str(self.home / _NAME), "fast-import", "--quiet", "--force", given=b"".join(said))

    def link(self, path: str, target: str) -> None:
        said = f"commit refs/heads/main\ncommitter {_WHO}\ndata 0\nfrom refs/heads/main^0\nM 120000 inline {path}\n"
        given = f"{said}data {len(target.encode())}\n{target}\n".encode()
        self._git("-C", str(self.home / _NAME), "fast-import", "--quiet", given=given)

    def _git(self, *arguments: str, given: bytes = b"") -> None:
        environment = {**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(self.home)}
        subprocess.run(["git", *arguments], check=True, input=given, env=environment, capture_output=True)

    def serve(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        if environ.get("HTTP_AUTHORIZATION") != f"Basic {base64.b64encode(f'git:{TOKEN}'.encode()).decode()}":
            start("401 Unauthorized", [("Content-Length", "0")])
            return []
        passed = ("REQUEST_METHOD", "PATH_INFO", "QUERY_STRING", "CONTENT_TYPE", "HTTP_GIT_PROTOCOL")
        told = {name: environ[name] for name in passed if name in environ}
        told["GIT_PROTOCOL"] = told.pop("HTTP_GIT_PROTOCOL", "")
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        given = {
            **os.environ, **told, "GIT_PROJECT_ROOT": str(self.home), "GIT_HTTP_EXPORT_ALL": "1",
            "REMOTE_USER": "git", "CONTENT_LENGTH": str(len(body)), "HOME": str(self.home),
        }  # fmt: skip
        answered = subprocess.run(["git", "http-backend"], input=body, env=given, capture_output=True, check=False)
        head, _blank, content = answered.stdout.partition(b"\r\n\r\n")
        headers = dict(BytesHeaderParser().parsebytes(head).items())
        status = headers.pop("Status", "200 OK")
        start(status, [*headers.items(), ("Content-Length", str(len(content)))])
        return [content]
