"""A mail server on this machine that takes letters, refuses them, or keeps a client waiting."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from pytest_django import Settings

from tests.installation import free_port


class Postman:
    """`letters` are those that it took, `last` the bytes of the last one. `says` is its answer; "" keeps the client
    waiting, for it has none yet.
    """

    def __init__(self) -> None:
        self.letters: list[EmailMessage] = []
        self.last = b""
        self.says = "250 OK"
        self.reached = threading.Event()

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        import asyncio

        self.reached.set()
        while not self.says:
            await asyncio.sleep(0.01)
        if self.says.startswith("2"):
            self.last = envelope.content
            self.letters.append(message_from_bytes(self.last, policy=policy.default))  # type: ignore[arg-type]
        return self.says


@contextmanager
def running_smtp_server(settings: Settings) -> Iterator[Postman]:
    """The settings lead to it."""
    postman, port = Postman(), free_port()
    controller = Controller(postman, hostname="127.0.0.1", port=port)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_USE_TLS = "127.0.0.1", port, False
    settings.DEFAULT_FROM_EMAIL, settings.PUBLIC_ADDRESS = "wiedza@urzad.example", "https://wiedza.urzad.example"
    controller.start()
    try:
        yield postman
    finally:
        controller.stop()
