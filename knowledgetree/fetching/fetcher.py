"""A request to one address: checked, resolved once, connected to exactly what was checked, bounded in time and size."""

import email.utils
import ssl
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final

import httpcore
import httpx
from django.utils.translation import gettext as _

from knowledgetree.credentials import Credential
from knowledgetree.fetching.addresses import AddressPolicy
from knowledgetree.fetching.bodies import ACCEPT_ENCODING
from knowledgetree.fetching.connection import Deadline, PinnedBackend, trusted
from knowledgetree.fetching.errors import BadReply, FetchFailed, FetchTimeout, HTTPFailure, TooManyRedirects
from knowledgetree.fetching.reading import Headers, read
from knowledgetree.fetching.resolution import Resolver, permitted_addresses, system_resolver
from knowledgetree.fetching.types import WEB_PAGES, Fetched, Limits, NotModified, ServerReply, Validators
from knowledgetree.fetching.urls import checked, host_of, port_of

USER_AGENT: Final = "KnowledgeTree/0.1 (knowledge base of this organisation)"

_SAID = 2000  # bytes of a reply that nobody waits for
_REDIRECTS = {301, 302, 303, 307, 308}


class Fetcher:
    """Fetches pages for people who must not choose what this server reaches. One instance serves all threads.

    Proxies of the environment are not used, cookies not kept, and each request has a connection of its own. `resolver`
    and `ssl_context` are those of the system unless given.
    """

    def __init__(
        self,
        *,
        policy: AddressPolicy | None = None,
        ports: Collection[int] = (80, 443),
        limits: Limits | None = None,
        user_agent: str = USER_AGENT,
        resolver: Resolver = system_resolver,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._policy, self._ports = policy or AddressPolicy(), frozenset(ports)
        self.limits, self.user_agent = limits or Limits(), user_agent
        self._resolver, self._ssl_context = resolver, ssl_context or trusted()

    def get(
        self,
        url: str,
        *,
        media_types: Collection[str] = WEB_PAGES,
        validators: Validators | None = None,
        seconds: float | None = None,
        max_bytes: int | None = None,
        credential: Credential | None = None,
    ) -> Fetched | NotModified:
        """The page at `url`, of one of `media_types` (`application/*` means any of them, `*/*` everything).

        NotModified is given only to those with `validators`. `credential` goes to its own origin alone, and not
        any more once a redirect has led elsewhere. Raises a subclass of `FetchError`, and nothing else.
        """
        limits = self.limits
        deadline = Deadline(min(seconds or limits.seconds, limits.seconds))
        headers = {"Accept": ", ".join(sorted(media_types)), **(validators.headers if validators else {})}
        current = checked(url, ports=self._ports)
        with translated(url):
            for _hop in range(limits.max_redirects + 1):
                credential = credential if credential and credential.is_for(str(current)) else None
                own = credential.headers if credential else {}
                with self._reply(current, {**headers, **own}, deadline) as reply:
                    received = Headers(reply.headers, most=limits.max_header_bytes)
                    if reply.status in _REDIRECTS and "location" in received:
                        current = self._redirected(current, received["location"])
                        continue
                    if reply.status == 304 and validators:
                        return _not_modified(url, current, received, validators)
                    _require_success(reply.status, received)
                    return read(
                        reply.iter_stream(),
                        url=url,
                        final_url=str(current),
                        status=reply.status,
                        headers=received,
                        media_types=media_types,
                        max_bytes=min(max_bytes or limits.max_bytes, limits.max_bytes),
                    )
        raise TooManyRedirects(_("The page redirects more than %(count)d times.") % {"count": limits.max_redirects})

    def post(self, url: str, body: bytes, *, headers: Mapping[str, str]) -> ServerReply:
        """What the server at `url` says to `body`, whatever its status. A redirect is not followed: what is sent is for
        this address alone. Raises a subclass of `FetchError`, and nothing else.
        """
        deadline = Deadline(self.limits.seconds)
        current = checked(url, ports=self._ports)
        with translated(url), self._reply(current, headers, deadline, body=body) as reply:
            beginning = bytearray()
            for piece in reply.iter_stream():
                beginning += piece
                if len(beginning) >= _SAID:
                    break
            return ServerReply(
                status=reply.status, beginning=bytes(beginning[:_SAID]).decode("utf-8", errors="replace")
            )

    def check(self, url: str) -> None:
        """Raises FetchRefused for an address that is not fetched, FetchFailed where nobody knows the server."""
        current = checked(url, ports=self._ports)
        self._addresses(host_of(current), port_of(current), Deadline(self.limits.connect_seconds))

    @contextmanager
    def _reply(
        self, url: httpx.URL, headers: Mapping[str, str], deadline: Deadline, *, body: bytes | None = None
    ) -> Iterator[httpcore.Response]:
        """The reply of the server at an address that was checked just now; with a `body`, which is sent, to a POST."""
        host, port = host_of(url), port_of(url)
        connection = httpcore.HTTPConnection(
            httpcore.Origin(url.scheme.encode(), host.encode(), port),
            ssl_context=self._ssl_context,
            network_backend=PinnedBackend(
                self._addresses(host, port, deadline), deadline=deadline, connect_seconds=self.limits.connect_seconds
            ),
        )
        sent = [("User-Agent", self.user_agent), ("Connection", "close")]
        sent += [("Accept-Encoding", ACCEPT_ENCODING)] if body is None else [("Content-Length", str(len(body)))]
        target = httpcore.URL(scheme=url.scheme.encode(), host=host.encode(), port=url.port, target=url.raw_path)
        timeouts = {"connect": min(self.limits.connect_seconds, deadline.left())}
        with (
            connection,
            connection.stream(
                "GET" if body is None else "POST",
                target,
                headers=[*sent, *headers.items()],
                content=body,
                extensions={"timeout": timeouts},
            ) as reply,
        ):
            yield reply

    def _addresses(self, host: str, port: int, deadline: Deadline) -> Sequence[str]:
        seconds = min(self.limits.connect_seconds, deadline.left())
        if ":" in host or host.replace(".", "").isdigit():  # an address already
            return permitted_addresses(
                host, port, resolver=lambda host, _port: [host], policy=self._policy, seconds=seconds
            )
        return permitted_addresses(host, port, resolver=self._resolver, policy=self._policy, seconds=seconds)

    def _redirected(self, current: httpx.URL, location: str) -> httpx.URL:
        try:
            following = current.join(location)
        except httpx.InvalidURL as error:
            raise BadReply(_("The page redirects to something that is no address.")) from error
        return checked(str(following), ports=self._ports)


def _not_modified(url: str, final: httpx.URL, headers: Headers, known: Validators) -> NotModified:
    said = headers.validators
    kept = Validators(etag=said.etag or known.etag, last_modified=said.last_modified or known.last_modified)
    return NotModified(url=url, final_url=str(final), validators=kept)


def _require_success(status: int, headers: Headers) -> None:
    if not 200 <= status < 300:
        message = _("The server answered %(status)d.") % {"status": status}
        raise HTTPFailure(message, answered=status, retry_after=seconds_until(headers.get("retry-after")))


def seconds_until(retry_after: str) -> float | None:
    """A Retry-After header, seconds or a date, as seconds from now."""
    if retry_after.isascii() and retry_after.isdigit():
        return float(retry_after[:9])
    try:
        moment = email.utils.parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


@contextmanager
def translated(url: str) -> Iterator[None]:
    """What httpcore raises on the way to `url`, as errors of ours."""
    host = httpx.URL(url.strip()).host
    try:
        yield
    except httpcore.TimeoutException as error:
        raise FetchTimeout(_("The server %(host)s did not answer in time.") % {"host": host}) from error
    except httpcore.ProtocolError as error:
        raise FetchFailed(_("The server %(host)s broke off or does not speak HTTP.") % {"host": host}) from error
    except (httpcore.NetworkError, OSError) as error:
        raise FetchFailed(_("The server %(host)s cannot be reached.") % {"host": host}) from error
