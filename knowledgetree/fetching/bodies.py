"""A body unpacked piece by piece, counted as it comes out: a bomb is found before it is in memory."""

import zlib
from collections.abc import Callable, Iterable, Iterator

from django.utils.translation import gettext as _

from knowledgetree.fetching.errors import BadReply, TooLarge

ACCEPT_ENCODING = "gzip, deflate"

_PIECE = 256 * 1024
_Unpack = Callable[[bytes], Iterator[bytes]]


def unpacked(pieces: Iterable[bytes], *, encoding: str, max_bytes: int) -> Iterator[bytes]:
    """The decoded body. Raises TooLarge past `max_bytes`, BadReply for an encoding that was not asked for or is broken.

    One layer is opened: encodings in each other multiply what a byte can become.
    """
    total = 0
    unpack = _unpacker(encoding)
    for packed in pieces:
        for piece in unpack(packed):
            total += len(piece)
            if total > max_bytes:
                raise too_large(max_bytes)
            yield piece


def too_large(max_bytes: int) -> TooLarge:
    return TooLarge(_("The page is larger than %(limit)d MB.") % {"limit": max(1, round(max_bytes / 1_000_000))})


def _unpacker(encoding: str) -> _Unpack:
    name = encoding.strip().lower()
    if name in {"", "identity"}:
        return lambda packed: iter([packed])
    if name in {"gzip", "x-gzip"}:
        return _Inflating(zlib.MAX_WBITS | 16)
    if name == "deflate":
        return _Inflating(zlib.MAX_WBITS)
    raise BadReply(_("The server sent the page packed in a way that was not asked for."))


class _Inflating:
    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._inflate = zlib.decompressobj(bits)
        self._begun = False

    def __call__(self, packed: bytes) -> Iterator[bytes]:
        full = True
        while (packed or full) and not self._inflate.eof:
            piece = self._opened(packed)
            packed, full = self._inflate.unconsumed_tail, len(piece) == _PIECE
            yield piece

    def _opened(self, packed: bytes) -> bytes:
        """At most `_PIECE` bytes."""
        try:
            piece = self._inflate.decompress(packed, _PIECE)
        except zlib.error as error:
            if self._begun or self._bits != zlib.MAX_WBITS:
                raise BadReply(_("The server sent a damaged page.")) from error
            self._bits, self._inflate = -zlib.MAX_WBITS, zlib.decompressobj(-zlib.MAX_WBITS)  # bare: many do so
            return self._opened(packed)
        self._begun = True
        return piece
