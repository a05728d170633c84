"""Keys and passwords of other servers, each bound to the one that it may be sent to. Only the environment has them."""

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from knowledgetree.env import env_list, env_secret, env_str

_DEFAULT_PORTS = {"http": 80, "https": 443}
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_SERVER = re.compile(r"[a-z0-9+.-]+://[^\s/@]+:\d+")
_OURS = {"accept", "accept-encoding", "connection", "content-length", "host", "transfer-encoding"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Credential:
    """`secret` is sent as the header `header` to `origin`, such as https://api.example.pl, and nowhere else.

    Raises ImproperlyConfigured for what cannot be sent; the message does not have the secret.
    """

    origin: str
    secret: str = field(repr=False)
    header: str = "Authorization"

    def __post_init__(self) -> None:
        if not origin_of(self.origin) or urlsplit(self.origin).path.strip("/"):
            raise ImproperlyConfigured(f"A key of feeds: {self.origin!r} is no origin such as https://api.example.pl.")
        if not _HEADER.fullmatch(self.header) or self.header.lower() in _OURS:
            raise ImproperlyConfigured(f"The key for {self.origin}: {self.header!r} is no header for a key.")
        if not self.secret or not self.secret.isascii() or not self.secret.isprintable():
            raise ImproperlyConfigured(f"The key for {self.origin} is empty or has characters that no header can have.")

    def is_for(self, url: str) -> bool:
        return origin_of(url) == origin_of(self.origin)

    @property
    def headers(self) -> dict[str, str]:
        return {self.header: self.secret}


def origin_of(url: str) -> str:
    """Scheme, host and port of a web address, always written the same way; "" for anything else."""
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").encode("idna").decode().rstrip(".")
        port = parts.port or _DEFAULT_PORTS[parts.scheme]
    except (ValueError, KeyError):
        return ""
    return f"{parts.scheme}://{host}:{port}" if host and "@" not in parts.netloc else ""


def feed_keys() -> dict[str, dict[str, str]]:
    """The names in FEED_KEYS with what FEED_KEY_<NAME> (or …_FILE), …_ORIGIN and …_HEADER say of them."""
    variables = {name: f"FEED_KEY_{name.upper().replace('-', '_')}" for name in env_list("FEED_KEYS")}
    return {
        name: {
            "secret": env_secret(variable),
            "origin": env_str(f"{variable}_ORIGIN"),
            "header": env_str(f"{variable}_HEADER", "Authorization"),
        }
        for name, variable in variables.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSecret:
    """The password or key of an account at `server`: scheme, host and port. Raises ImproperlyConfigured for none."""

    server: str
    secret: str = field(repr=False)

    def __post_init__(self) -> None:
        if not _SERVER.fullmatch(self.server) or not self.secret:
            raise ImproperlyConfigured(
                f"A secret of sources for {self.server!r}: give it and its server, such as https://cloud.example.pl:443."
            )


def source_secrets() -> dict[str, dict[str, str]]:
    """The names in SOURCE_SECRETS with what SOURCE_SECRET_<NAME> (or …_FILE) and …_SERVER say of them."""
    variables = {name: f"SOURCE_SECRET_{name.upper().replace('-', '_')}" for name in env_list("SOURCE_SECRETS")}
    return {
        name: {"secret": env_secret(variable), "server": env_str(f"{variable}_SERVER")}
        for name, variable in variables.items()
    }
