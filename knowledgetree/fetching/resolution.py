"""From a host name to the addresses that may be connected to, asked once."""

import queue
import socket
import threading
from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _

from knowledgetree.fetching.addresses import AddressPolicy
from knowledgetree.fetching.errors import FetchFailed, FetchRefused, FetchTimeout

Resolver = Callable[[str, int], Sequence[str]]
"""(host, port) -> addresses, the one to try first first. Raises OSError."""


def system_resolver(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def permitted_addresses(
    host: str, port: int, *, resolver: Resolver, policy: AddressPolicy, seconds: float
) -> list[str]:
    """Those addresses of `host` that `policy` permits, at least one, within `seconds`.

    Raises FetchRefused where there are only others, FetchFailed for a name that nobody knows.
    """
    found = _resolve(host, port, resolver=resolver, seconds=seconds)
    permitted = [address for address in found if policy.permits(address)]
    if not permitted:
        raise FetchRefused(_("The address %(host)s leads into a private or reserved network.") % {"host": host})
    return permitted


def _resolve(host: str, port: int, *, resolver: Resolver, seconds: float) -> Sequence[str]:
    answers: queue.SimpleQueue[Sequence[str] | Exception] = queue.SimpleQueue()

    def ask() -> None:
        try:
            answers.put(resolver(host, port))
        except (OSError, UnicodeError) as error:
            answers.put(error)

    # The C library's look-up has no time limit; a thread that is late is left behind.
    threading.Thread(target=ask, name="resolver", daemon=True).start()
    try:
        answer = answers.get(timeout=max(seconds, 0.001))
    except queue.Empty as error:
        raise FetchTimeout(_("The name %(host)s could not be looked up in time.") % {"host": host}) from error
    if isinstance(answer, Exception) or not answer:
        raise FetchFailed(_("There is no server called %(host)s.") % {"host": host})
    return answer
