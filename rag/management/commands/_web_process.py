"""A web process of one's own for a measurement: a real ASGI server on a free port, ended with its reader's session."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlencode
from urllib.request import Request, urlopen
from uuid import uuid4

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.core.management.base import CommandError
from django.utils.translation import gettext as _

_SECONDS_TO_START = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class WebProcess:
    """Searches as a superuser would through the API."""

    address: str
    pid: int
    session: str

    def search(self, query: str, **parameters: object) -> Mapping[str, float]:
        """The milliseconds by stage, as the server measured them."""
        address = f"{self.address}/api/search?{urlencode({'query': query, **parameters})}"
        cookie = {"Cookie": f"{settings.SESSION_COOKIE_NAME}={self.session}"}
        with urlopen(Request(address, headers=cookie), timeout=60) as response:  # noqa: S310  (our own address)
            stages: dict[str, float] = json.load(response)["latency"]
        return stages


@contextmanager
def web_process() -> Iterator[WebProcess]:
    with _open_superuser_session() as session:
        port = _free_port()
        server = ["-m", "uvicorn", "knowledgetree.asgi:application", "--lifespan", "off", "--log-level", "warning"]
        process = subprocess.Popen(
            [sys.executable, *server, "--port", str(port)],
            cwd=settings.BASE_DIR,
            env={**os.environ, "SEARCH_RATE": "1000000/min", "ALLOWED_HOSTS": "127.0.0.1"},
        )
        try:
            _wait_until_open(port, process)
            yield WebProcess(address=f"http://127.0.0.1:{port}", pid=process.pid, session=session)
        finally:
            process.terminate()
            process.wait(timeout=30)


@contextmanager
def _open_superuser_session() -> Iterator[str]:
    """Of an account for this measurement alone, which nobody can sign in to."""
    user = User.objects.create_superuser(f"benchmark-{uuid4().hex[:12]}")
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    try:
        yield str(session.session_key)
    finally:
        session.delete()
        user.delete()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_open(port: int, process: subprocess.Popen[bytes]) -> None:
    for _look in range(_SECONDS_TO_START * 10):
        if process.poll() is not None:
            raise CommandError(_("The server did not start; the reason stands above."))
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise CommandError(_("The server has not answered for %(n)d seconds.") % {"n": _SECONDS_TO_START})
