"""Git's own server (`git http-backend`) on 127.0.0.1, over one bare repository and behind a password."""

import base64
import os
import subprocess
from collections.abc import Iterable, Mapping
from datetime import datetime
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Any

from tests.wsgi_server import WSGIServer

TOKEN = "tajny-token"
_NAME = "regulaminy.git"
_WHO = "Anna Kadrowa <kadry@example.pl>"


class GitServer(WSGIServer):
    def __init__(self, home: Path) -> None:
        super().__init__()
        self.home = home
        self._git("init", "--quiet", "--bare", "--initial-branch=main", str(home / _NAME))
        self.configure("uploadpack.allowFilter", "true")

    @property
    def location(self) -> str:
        return f"{self.url}/{_NAME}"

    def commit(
        self,
        files: Mapping[str, bytes | None] | None = None,
        *,
        branch: str = "main",
        moved: Mapping[str, str] | None = None,
        message: str = "zmiana",
        on: str = "2023-11-14",
        after: str = "",
        merged: str = "",
    ) -> str:
        """One commit on a branch, and its identifier: each file is written, or deleted where it is None; what `moved`
        has, files and folders, was renamed before that. `after`: the commit that it follows, in the place of those that
        the branch has; "" the last one. `merged`: the branch that is merged by it; its files are to be given too.
        """
        reference = f"refs/heads/{branch}"
        moment = int(datetime.fromisoformat(f"{on}T12:00:00+00:00").timestamp())
        text = message.encode()
        said = [f"commit {reference}\ncommitter {_WHO} {moment} +0000\ndata {len(text)}\n".encode(), text, b"\n"]
        if after or (self.home / _NAME / reference).exists():
            said.append(f"from {after or reference}^0\n".encode())
        if merged:
            said.append(f"merge refs/heads/{merged}^0\n".encode())
        said += [f'R "{path}" "{to}"\n'.encode() for path, to in (moved or {}).items()]
        for path, content in (files or {}).items():
            if content is None:
                said.append(f"D {path}\n".encode())
            else:
                said += [f"M 100644 inline {path}\ndata {len(content)}\n".encode(), content, b"\n"]
        self._git("-C", str(self.home / _NAME), "fast-import", "--quiet", "--force", given=b"".join(said))
        return (self.home / _NAME / reference).read_text().strip()

    def move(self, path: str, to: str) -> None:
        self.commit(moved={path: to})

    def configure(self, name: str, value: str) -> None:
        self._git("-C", str(self.home / _NAME), "config", name, value)

    def link(self, path: str, target: str) -> None:
        said = f"commit refs/heads/main\ncommitter {_WHO} 1700000000 +0000\ndata 0\nfrom refs/heads/main^0\n"
        given = f"{said}M 120000 inline {path}\ndata {len(target.encode())}\n{target}\n".encode()
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
