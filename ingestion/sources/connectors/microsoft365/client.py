"""Microsoft Graph over guarded connections: replies by page and by batch, waiting where it asks for that."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, Final, Generic, TypeVar

import httpx
from django.utils.translation import gettext as _
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from ingestion.sources.connectors.errors import http_error, item_too_large
from ingestion.sources.connectors.microsoft365.signing_in import Application, graph_of
from ingestion.sources.connectors.protocol import RemotePlace
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import BadReply
from knowledgetree.fetching.fetcher import USER_AGENT, seconds_until
from knowledgetree.fetching.transport import GuardedTransport

MOST_AT_ONCE: Final = 20
"""Requests of a batch."""

_MAX_REPLY: Final = 200_000_000  # bytes; files are bound by who fetches them
_BUSY: Final = frozenset({429, 503})
_LONGEST_WAIT: Final = 120.0  # seconds; who asks for more is asked again with the next attempt of the job
_PATIENCE: Final = 600.0  # seconds of waiting in all
_MOST_TRIES: Final = 20  # in a row, where it says to wait and not for how long


Entry = TypeVar("Entry")


class EntryPage(BaseModel, Generic[Entry]):
    """`delta`: on the last page of a list of changes the link to those that come later."""

    value: list[Entry]
    following: str = Field("", alias="@odata.nextLink")
    delta: str = Field("", alias="@odata.deltaLink")


class BatchedReply(BaseModel):
    id: str
    status: int
    headers: dict[str, str] = {}
    body: Any = None

    @property
    def retry_after(self) -> str:
        return next((value for name, value in self.headers.items() if name.lower() == "retry-after"), "")


class _Batch(BaseModel):
    responses: list[BatchedReply]


class GraphClient:
    """Addresses are below `v1.0`, or those that Graph gave itself: the token goes nowhere else."""

    def __init__(self, place: RemotePlace, guard: AddressGuard) -> None:
        self.base = f"{graph_of(place)}/v1.0/"
        self._http = httpx.Client(
            headers={"User-Agent": USER_AGENT, "Accept-Encoding": "identity"},
            transport=GuardedTransport(guard, max_bytes=_MAX_REPLY),
            trust_env=False,
        )
        self._application = Application(place, self._http)
        self._waited = 0.0

    def json(self, path: str, shape: Any) -> Any:
        """What is at `path`. Raises BadReply where that is of another shape."""
        return shaped(self._asked("GET", path).content, shape)

    def pages(self, path: str, shape: Any, *, prefer: str = "") -> Iterator[Any]:
        """The pages of a list, of `shape`, which is an EntryPage."""
        headers = {"Prefer": prefer} if prefer else {}
        while path:
            page = shaped(self._asked("GET", path, headers=headers).content, shape)
            yield page
            path = page.following

    def batch(self, paths: Sequence[str]) -> list[BatchedReply]:
        """The replies to at most MOST_AT_ONCE requests, in their order. What was told to wait is asked again."""
        wanted = {str(number): path for number, path in enumerate(paths)}
        replies: dict[str, BatchedReply] = {}
        for attempt in range(_MOST_TRIES):
            asked = {number: path for number, path in wanted.items() if number not in replies}
            told = {one.id: one for one in self._batched(asked) if one.id in asked}
            if missing := len(asked) - len(told):
                raise BadReply(_("The server left out %(n)d replies.") % {"n": missing})
            busy = [one for one in told.values() if one.status in _BUSY]
            replies |= {number: one for number, one in told.items() if one.status not in _BUSY}
            if not busy:
                return [replies[number] for number in wanted]
            slowest = max(busy, key=lambda one: seconds_until(one.retry_after) or 0.0)
            self._wait(slowest.status, slowest.retry_after, attempt)
        raise http_error(slowest.status, retry_after=slowest.retry_after)

    def content(self, path: str, *, max_bytes: int) -> bytes:
        """The file. Graph leads on to where it is kept; httpx gives the token to nobody else. Raises TooLarge."""
        return self._asked("GET", path, max_bytes=max_bytes).content

    def _batched(self, paths: Mapping[str, str]) -> list[BatchedReply]:
        requests = [{"id": number, "method": "GET", "url": f"/{path}"} for number, path in paths.items()]
        found: _Batch = shaped(self._asked("POST", "$batch", json={"requests": requests}).content, _Batch)
        return found.responses

    def _asked(self, method: str, path: str, *, max_bytes: int = _MAX_REPLY, **sent: Any) -> httpx.Response:
        """A token that has expired is asked for anew, once."""
        anew = renewed = False
        for attempt in range(_MOST_TRIES):
            reply = self._sent(method, path, max_bytes, anew=anew, **sent)
            retry_after = reply.headers.get("retry-after", "")
            anew = reply.status_code == httpx.codes.UNAUTHORIZED and not renewed
            if reply.is_success:
                return reply
            if reply.status_code in _BUSY:
                self._wait(reply.status_code, retry_after, attempt)
            elif not anew:
                break
            renewed = renewed or anew
        raise http_error(reply.status_code, retry_after=retry_after)

    def _sent(self, method: str, path: str, max_bytes: int, *, anew: bool, **sent: Any) -> httpx.Response:
        headers = {**sent.pop("headers", {}), "Authorization": f"Bearer {self._application.token(anew=anew)}"}
        request = self._http.build_request(method, self._address(path), headers=headers, **sent)
        try:
            reply = self._http.send(request, stream=True, follow_redirects=True)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise BadReply(_("The server leads on to where nobody can follow.")) from error
        with closing(reply):
            content = bytearray()
            for piece in reply.iter_raw() if reply.is_success else ():
                content += piece
                if len(content) > max_bytes:
                    raise item_too_large(max_bytes)
        return httpx.Response(reply.status_code, headers=reply.headers, content=bytes(content))

    def _address(self, path: str) -> str:
        if path.startswith(self.base):
            return path
        if "://" in path:
            raise BadReply(_("The server leads on to another one."))
        return f"{self.base}{path}"

    def _wait(self, status: int, retry_after: str, attempt: int) -> None:
        """As long as it says. Raises HTTPFailure where that is too long to wait for here."""
        told = seconds_until(retry_after)
        seconds = float(attempt + 1) if told is None else told
        self._waited += seconds
        if seconds > _LONGEST_WAIT or self._waited > _PATIENCE:
            raise http_error(status, retry_after=retry_after)
        time.sleep(seconds)


def shaped(told: Any, shape: Any) -> Any:
    """`told` is JSON, or what it says. Raises BadReply where that is of another shape."""
    adapter = TypeAdapter(shape)
    try:
        return adapter.validate_json(told) if isinstance(told, bytes) else adapter.validate_python(told)
    except ValidationError as error:
        raise BadReply(_("The server does not answer as Microsoft Graph does.")) from error
