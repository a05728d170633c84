"""Packs are looked through before they are unpacked: a few bytes of zlib, or of a delta, may stand for gigabytes.

https://git-scm.com/docs/pack-format
"""

import mmap
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

from django.utils.translation import gettext as _
from dulwich.object_store import DiskObjectStore
from dulwich.pack import OFS_DELTA, REF_DELTA

from ingestion.sources.connectors.errors import item_too_large, too_many_items
from knowledgetree.fetching.errors import TooLarge

_HEAD: Final = 12  # bytes before the first object
_PIECE: Final = 16 * 1024
_SIZES: Final = 20  # bytes of a delta that have the sizes of what it is about and of what it makes


@dataclass(frozen=True, slots=True, kw_only=True)
class PackLimits:
    """What a pack may unpack to, in bytes. What deltas hold and make is kept in memory while it is indexed."""

    objects: int = 5_000_000
    object_bytes: int = 500_000_000
    delta_bytes: int = 500_000_000
    all_bytes: int = 10_000_000_000


class CheckedObjectStore(DiskObjectStore):  # type: ignore[misc]  # it has no types
    """Takes in no pack that `check_pack` raises for."""

    limits = PackLimits()

    def add_pack(self) -> tuple[BinaryIO, Callable[[], Any], Callable[[], None]]:
        file, keep, drop = super().add_pack()

        def keep_checked() -> Any:
            if file.tell():
                check_pack(file, limits=self.limits, id_bytes=self.object_format.oid_length)
            return keep()

        return file, keep_checked, drop


def check_pack(file: BinaryIO, *, limits: PackLimits, id_bytes: int = 20) -> None:
    """Raises TooLarge, and what zlib, struct and sequences raise for what is no pack. Holds a piece of it at a time."""
    file.flush()
    whole = deltas = 0
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as pack:
        (count,) = struct.unpack_from(">L", pack, _HEAD - 4)
        if count > limits.objects:
            raise too_many_items(limits.objects)
        at = _HEAD
        for _number in range(count):
            kind, size, at = _header(pack, at)
            at = _behind_base(pack, at, kind, id_bytes)
            if size > limits.object_bytes:
                raise item_too_large(limits.object_bytes)
            begins, at = _inflated(pack, at, size)
            whole += size
            if kind in {OFS_DELTA, REF_DELTA}:
                made = _made_by(begins)
                whole, deltas = whole + made, deltas + size + made
            if whole > limits.all_bytes or deltas > limits.delta_bytes:
                raise TooLarge(_("The repository unpacks to more than this server takes."))


def _header(pack: mmap.mmap, at: int) -> tuple[int, int, int]:
    """(kind, size, where it ends)."""
    first = pack[at]
    size, at = _number_at(pack, at + 1) if first & 0x80 else (0, at + 1)
    return (first >> 4) & 0b111, (size << 4) | (first & 0b1111), at


def _behind_base(pack: mmap.mmap, at: int, kind: int, id_bytes: int) -> int:
    if kind == REF_DELTA:
        return at + id_bytes
    return _number_at(pack, at)[1] if kind == OFS_DELTA else at


def _number_at(held: mmap.mmap | bytes, at: int) -> tuple[int, int]:
    """A number in groups of seven bits, the lowest first, and where it ends."""
    number = shift = 0
    while True:
        group = held[at]
        number |= (group & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not group & 0x80:
            return number, at
        if shift > 63:
            raise ValueError("no number")


def _made_by(delta: bytes) -> int:
    _base, at = _number_at(delta, 0)
    return _number_at(delta, at)[0]


def _inflated(pack: mmap.mmap, at: int, size: int) -> tuple[bytes, int]:
    """The first bytes of an object and where it ends. Raises ValueError where it is not of this size."""
    inflater, begins, left = zlib.decompressobj(), b"", size
    while not inflater.eof:
        given = inflater.unconsumed_tail
        if not given:
            given = pack[at : at + _PIECE]
            at += len(given)
        piece = inflater.decompress(given, _PIECE)
        if (left := left - len(piece)) < 0 or not (given or piece):
            raise ValueError("not of the size that it says")
        begins += piece[: _SIZES - len(begins)]
    if left:
        raise ValueError("not of the size that it says")
    return begins, at - len(inflater.unused_data)
