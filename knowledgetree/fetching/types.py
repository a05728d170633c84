"""The values of fetching."""

from dataclasses import dataclass
from typing import Final

WEB_PAGES: Final = frozenset({"text/html", "application/xhtml+xml", "text/plain"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Validators:
    """What a server said of the version that we have, as it said it; "" where it said nothing."""

    etag: str = ""
    last_modified: str = ""

    @property
    def headers(self) -> dict[str, str]:
        """Those of a request for a newer version."""
        said = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in said.items() if value and value.isascii() and value.isprintable()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """`seconds` bound a whole fetch, redirects included, `connect_seconds` each connection; `max_bytes` the decoded
    body, `max_header_bytes` names and values of one reply.
    """

    seconds: float = 20.0
    connect_seconds: float = 5.0
    max_bytes: int = 20_000_000
    max_header_bytes: int = 32_000
    max_redirects: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A page as it was served. `url` is what was asked for, `final_url` what answered after redirects.

    `media_type` goes by the header and the first bytes, without parameters; `content` is decoded from its transfer.
    `charset` is Python's name of the encoding, "" for what is no text.
    """

    url: str
    final_url: str
    status: int
    media_type: str
    charset: str
    content: bytes
    validators: Validators = Validators()

    @property
    def text(self) -> str:
        """The content as text; a byte without meaning becomes U+FFFD, a byte order mark is left out."""
        return self.content.decode(self.charset or "utf-8", errors="replace").removeprefix("\ufeff")


@dataclass(frozen=True, slots=True, kw_only=True)
class NotModified:
    """The server says that the version we have is the newest."""

    url: str
    final_url: str
    validators: Validators


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerReply:
    """What a server said to a message: `beginning` is as much of the text as was read."""

    status: int
    beginning: str
