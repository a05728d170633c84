"""Where the connections of libraries may go that speak other protocols than `Fetcher` does."""

import contextlib
import socket
from collections.abc import Collection, Sequence

from django.utils.translation import gettext as _

from knowledgetree.fetching.addresses import AddressPolicy
from knowledgetree.fetching.errors import FetchFailed, FetchRefused, FetchTimeout
from knowledgetree.fetching.resolution import Resolver, permitted_addresses, system_resolver


class AddressGuard:
    """The public Internet at `ports`, and `networks` (CIDR) at any port: an administrator has looked at those.

    A connection is made within `seconds`, and its server may say nothing for `silence` seconds.
    A library is given the addresses or the sockets of its guard and looks up no name itself, so a name that changes its
    mind between check and connection changes nothing.
    """

    def __init__(
        self,
        *,
        ports: Collection[int],
        networks: Sequence[str] = (),
        connect_seconds: float = 5.0,
        silence: float = 30.0,
        resolver: Resolver = system_resolver,
    ) -> None:
        self._ports, self._policy = frozenset(ports), AddressPolicy(networks)
        self.seconds, self.silence, self._resolver = connect_seconds, silence, resolver

    def addresses(self, host: str, port: int) -> list[str]:
        """Those that may be connected to, at least one. Raises FetchRefused, FetchFailed for a name nobody knows."""
        resolver = _itself if _is_literal(host) else self._resolver
        found = permitted_addresses(host, port, resolver=resolver, policy=self._policy, seconds=self.seconds)
        allowed = [one for one in found if port in self._ports or self._policy.names(one)]
        if not allowed:
            raise FetchRefused(_("Port %(port)d is not allowed.") % {"port": port})
        return allowed

    def connect(self, host: str, port: int) -> socket.socket:
        """A socket whose reads last `silence` at most. Raises as `addresses`, and FetchTimeout."""
        failed: OSError = OSError("no address")
        for address in self.addresses(host, port):
            try:
                opened = socket.create_connection((address, port), timeout=self.seconds)
            except OSError as error:
                failed = error
            else:
                opened.settimeout(self.silence)
                with contextlib.suppress(OSError):
                    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return opened
        if isinstance(failed, TimeoutError):
            raise FetchTimeout(_("The server %(host)s did not answer in time.") % {"host": host}) from failed
        raise FetchFailed(_("The server %(host)s cannot be reached.") % {"host": host}) from failed


def _is_literal(host: str) -> bool:
    return ":" in host or host.replace(".", "").isdigit()


def _itself(host: str, port: int) -> list[str]:
    return [host]
