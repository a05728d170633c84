"""Git's smart HTTP by dulwich, over guarded connections."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
from django.utils.translation import gettext as _
from dulwich.client import AbstractHttpGitClient

from ingestion.sources.connectors.errors import http_error
from ingestion.sources.connectors.protocol import RemotePlace
from ingestion.sources.connectors.reply_body import ReplyBody
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import BadReply, FetchRefused
from knowledgetree.fetching.transport import GuardedTransport

MAX_PACK_BYTES = 1_000_000_000
"""Of what a server sends of one state of a repository."""

MAX_ANSWER_BYTES = 20_000_000
"""Of any other answer, such as the list of its branches, which is read into memory."""

_WANTED = b"want "  # what a request for a pack says, in each version of the protocol
_NOBODY_SAID = "git"  # the name beside a token where the source has none: servers look at the token alone


class GuardedGitClient(AbstractHttpGitClient):  # type: ignore[misc]
    """Asks one repository, by the smart protocol alone; nothing is sent to another address."""

    def __init__(self, place: RemotePlace, guard: AddressGuard) -> None:
        super().__init__(place.location, thin_packs=False)
        self.received = 0  # bytes of packs
        self._asking, self._fetching = (
            httpx.Client(
                auth=(place.user or _NOBODY_SAID, place.secret) if place.secret else None,
                headers={"User-Agent": "git/dulwich (KnowledgeTree)", "Accept-Encoding": "identity"},
                transport=GuardedTransport(guard, max_bytes=max_bytes),
                trust_env=False,
            )
            for max_bytes in (MAX_ANSWER_BYTES, MAX_PACK_BYTES)
        )

    def _http_request(
        self,
        url: str,
        headers: dict[str, str] | None = None,
        data: bytes | Iterator[bytes] | None = None,
        raise_for_status: bool = True,
    ) -> tuple[Any, Callable[[int], bytes]]:
        if not url.startswith(self._base_url):
            raise FetchRefused(_("The server names another address for the repository."))
        content = b"".join(data) if data is not None and not isinstance(data, bytes) else data
        http = self._fetching if content and _WANTED in content else self._asking
        request = http.build_request("GET" if content is None else "POST", url, headers=headers, content=content)
        reply = _GitReply(http.send(request, stream=True))
        return reply, self._counting(reply.read) if http is self._fetching else reply.read

    def _counting(self, read: Callable[[int], bytes]) -> Callable[[int], bytes]:
        def read_counted(size: int) -> bytes:
            piece = read(size)
            self.received += len(piece)
            return piece

        return read_counted


class _GitReply:
    """As dulwich wants it. Raises for what is no reply of the smart protocol."""

    redirect_location = ""

    def __init__(self, reply: httpx.Response) -> None:
        self.status, self.content_type = reply.status_code, reply.headers.get("content-type", "")
        if not reply.is_success:
            reply.close()
            raise http_error(self.status, retry_after=reply.headers.get("retry-after", ""))
        if not self.content_type.startswith("application/x-git-"):
            reply.close()
            raise BadReply(_("The server does not answer as Git does."))
        body = ReplyBody(reply)
        self.read, self.close = body.read, body.close
