"""Which network addresses may be connected to.

Registries: https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry.
"""

import ipaddress
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address

from django.core.exceptions import ImproperlyConfigured

Address = IPv4Address | IPv6Address

# What ipaddress calls global and yet is no host of the public Internet: protocol assignments with Oracle's metadata
# service (192.0.0.192), the 6to4 relays, and Azure's wire server, which answers with credentials.
_NOT_PUBLIC_4 = tuple(map(ipaddress.IPv4Network, ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32")))
# Global unicast is 2000::/3. That leaves out ::ffff:0:0/96 and 64:ff9b::/96, which carry any IPv4 address, and fec0::.
_GLOBAL_6 = ipaddress.IPv6Network("2000::/3")
# Teredo, 6to4 (both carry IPv4 addresses), documentation.
_NOT_PUBLIC_6 = tuple(map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))


class AddressPolicy:
    """The public Internet, and the networks (CIDR) that an administrator allows beside it."""

    def __init__(self, allowed_networks: Sequence[str] = ()) -> None:
        try:
            self._allowed = [ipaddress.ip_network(network) for network in allowed_networks]
        except ValueError as error:
            raise ImproperlyConfigured(f"FETCH_ALLOWED_NETWORKS: {error}; write for example 10.0.0.0/8.") from error

    def permits(self, address: str) -> bool:
        """Whether `address`, a literal as resolvers give it, may be connected to. A scoped one (`%eth0`) never."""
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return False
        if "%" in address:
            return False
        return is_public(parsed) or self._is_named(parsed)

    def names(self, address: str) -> bool:
        """Whether it is in a network that an administrator allows; `address` as `permits` takes it."""
        return self._is_named(ipaddress.ip_address(address))

    def _is_named(self, address: Address) -> bool:
        return any(address in network for network in self._allowed)


def is_public(address: Address) -> bool:
    """Whether a host of the public Internet can have it; multicast and everything reserved is not."""
    if isinstance(address, IPv4Address):
        special = address.is_multicast or any(address in network for network in _NOT_PUBLIC_4)
        return address.is_global and not special
    outside = any(address in network for network in _NOT_PUBLIC_6)
    return address in _GLOBAL_6 and address.is_global and not outside
