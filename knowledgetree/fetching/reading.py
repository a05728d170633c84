"""A reply as a value: headers within bounds, the body unpacked and of a wanted type."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from django.utils.translation import gettext as _

from knowledgetree.charsets import charset_of
from knowledgetree.fetching.bodies import too_large, unpacked
from knowledgetree.fetching.errors import BadReply, WrongMediaType
from knowledgetree.fetching.media_types import ENOUGH, declared, is_text, media_type_of
from knowledgetree.fetching.types import Fetched, Validators

_SPECIFIC = re.compile(r"[a-z]+/(?!octet-stream|unknown).+")


class Headers:
    """The headers of a reply by lower-case name; the first of several. Raises BadReply for more than `most` bytes."""

    def __init__(self, raw: Sequence[tuple[bytes, bytes]], *, most: int) -> None:
        if sum(len(name) + len(value) for name, value in raw) > most:
            raise BadReply(_("The server sent too many headers."))
        self._values: dict[str, str] = {}
        for name, value in raw:
            self._values.setdefault(name.decode("latin-1").lower(), value.decode("latin-1").strip())

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def get(self, name: str) -> str:
        return self._values.get(name, "")

    @property
    def validators(self) -> Validators:
        return Validators(etag=self.get("etag"), last_modified=self.get("last-modified"))


def read(
    pieces: Iterable[bytes],
    *,
    url: str,
    final_url: str,
    status: int,
    headers: Headers,
    media_types: Collection[str],
    max_bytes: int,
) -> Fetched:
    """The body as a value. What the headers alone rule out is not read at all."""
    said, charset = declared(headers.get("content-type"))
    if _SPECIFIC.fullmatch(said) and not is_text(said):
        _require(said, media_types)
    length, encoding = headers.get("content-length"), headers.get("content-encoding")
    if not encoding and length.isdigit() and int(length[:18]) > max_bytes:
        raise too_large(max_bytes)
    content, media_type = _body(unpacked(pieces, encoding=encoding, max_bytes=max_bytes), said, media_types)
    return Fetched(
        url=url,
        final_url=final_url,
        status=status,
        media_type=media_type,
        charset=charset_of(content, declared=charset) if is_text(media_type) else "",
        content=content,
        validators=headers.validators,
    )


def _body(pieces: Iterator[bytes], said: str, media_types: Collection[str]) -> tuple[bytes, str]:
    """Judged as soon as enough of it is there."""
    body = bytearray()
    judged = ""
    for piece in pieces:
        body += piece
        if not judged and len(body) >= ENOUGH:
            judged = _require(media_type_of(said, bytes(body[:ENOUGH])), media_types)
    judged = judged or _require(media_type_of(said, bytes(body)), media_types)
    return bytes(body), judged


def _require(media_type: str, media_types: Collection[str]) -> str:
    family = media_type.partition("/")[0]
    if not {media_type, f"{family}/*", "*/*"} & set(media_types):
        raise WrongMediaType(
            _("This is %(type)s, no page or document.") % {"type": media_type or _("of no known type")}
        )
    return media_type
