"""The records of an old PowerPoint file: a head of eight bytes, then data or further records."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_CHARACTERS, _BYTES = 0x0FA0, 0x0FA8
_CONTAINER = 0xF
_TEXT_BOX = 0xF00D
_MAX_DEPTH = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What lies at bytes [start, end) after the head."""

    kind: int
    instance: int
    is_container: bool
    start: int
    end: int


def records(stream: bytes, start: int, end: int) -> Iterator[Record]:
    """Those that lie side by side in [start, end)."""
    while start + 8 <= end:
        head, kind, size = struct.unpack_from("<HHI", stream, start)
        stop = min(start + 8 + size, end)
        yield Record(kind=kind, instance=head >> 4, is_container=head & 0xF == _CONTAINER, start=start + 8, end=stop)
        start = stop


def text_of(stream: bytes, record: Record) -> list[str]:
    """The lines of a text record, [] for a record of another kind."""
    raw = stream[record.start : record.end]
    if record.kind == _CHARACTERS:
        text = raw.decode("utf-16-le", errors="replace")
    elif record.kind == _BYTES:  # the low bytes of UTF-16
        text = raw.decode("latin-1")
    else:
        return []
    return [line for line in (" ".join(one.split()) for one in text.replace("\x0b", " ").split("\r")) if line]


def texts_in(stream: bytes, container: Record, *, depth: int = 0, in_box: bool = False) -> Iterator[str]:
    """The texts of the boxes drawn on a slide."""
    if not container.is_container or depth > _MAX_DEPTH:
        return
    for record in records(stream, container.start, container.end):
        if in_box and (lines := text_of(stream, record)):
            yield "\n".join(lines)
        yield from texts_in(stream, record, depth=depth + 1, in_box=in_box or record.kind == _TEXT_BOX)
