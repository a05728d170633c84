"""What an address must look like before anything is looked up."""

import ipaddress
import re
from collections.abc import Collection

import httpx
from django.utils.translation import gettext as _

from knowledgetree.fetching.errors import FetchRefused

_DEFAULT_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"(?=.{1,253}\.?$)[a-z0-9_]([a-z0-9_-]{0,62})?(\.[a-z0-9_]([a-z0-9_-]{0,62})?)*\.?", re.ASCII)
_NUMBER = re.compile(r"(\d+|0x[0-9a-f]*)\.?", re.ASCII)
_MAX_LENGTH = 4000


def checked(url: str, *, ports: Collection[int]) -> httpx.URL:
    """`url` with its host in ASCII and without its fragment. Raises FetchRefused, naming what is wrong with it."""
    try:
        parsed = httpx.URL(url.strip()[: _MAX_LENGTH + 1]).copy_with(fragment=None)
    except httpx.InvalidURL as error:
        raise FetchRefused(_("This is no web address.")) from error
    if len(url) > _MAX_LENGTH:
        raise FetchRefused(_("The address is too long."))
    if parsed.scheme not in _DEFAULT_PORTS:
        raise FetchRefused(_("Only http and https addresses are fetched."))
    if parsed.userinfo:
        raise FetchRefused(_("An address with a user name or a password is not fetched."))
    if port_of(parsed) not in ports:
        raise FetchRefused(_("Port %(port)d is not allowed.") % {"port": port_of(parsed)})
    if not _is_host(host_of(parsed)):
        raise FetchRefused(_("This is no web address."))
    return parsed


def port_of(url: httpx.URL) -> int:
    return url.port or _DEFAULT_PORTS[url.scheme]


def host_of(url: httpx.URL) -> str:
    """In ASCII, as it goes into the look-up, the certificate check and the Host header."""
    return url.raw_host.decode("ascii").lower()


def _is_host(host: str) -> bool:
    """A name, a dotted quad or an IPv6 address. Other ways to write IPv4 (`2130706433`, `0x7f.1`, `0177.0.0.1`) serve
    only to get past checks.
    """
    if ":" in host or _NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2]):
        try:
            ipaddress.ip_address(host)
        except ValueError:
            return False
        return "%" not in host
    return _HOST.fullmatch(host) is not None
