"""OLE2 compound files, and old Word and PowerPoint files in them, written byte by byte."""

import struct
from collections.abc import Sequence

from tests.ingestion.reading.office_files import OLE

SECTOR = 512
_END, _FREE, _FAT, _NONE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD, 0xFFFFFFFF


def ole(streams: dict[str, bytes]) -> bytes:
    """A compound file of version 3 with one sector of allocation table; streams are padded to its 4,096 bytes.

    A name such as "folder/stream" puts a stream into a storage.
    """
    contents = {name: one.ljust(max(4096, -(-len(one) // SECTOR) * SECTOR), b"\0") for name, one in streams.items()}
    chains, starts, place = [_FAT], {}, 1
    for name, content in contents.items():
        count = len(content) // SECTOR
        starts[name] = place
        chains += [*range(place + 1, place + count), _END]
        place += count
    directory = _directory({name: len(content) for name, content in contents.items()}, starts)
    chains += [*range(place + 1, place + len(directory) // SECTOR), _END]
    table = struct.pack("<128I", *chains, *[_FREE] * (128 - len(chains)))
    header = OLE + bytes(16) + struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<IIIIIIIIII", 0, 1, place, 0, 4096, _END, 0, _END, 0, 0)
    header += struct.pack("<108I", *[_FREE] * 108)
    return header + table + b"".join(contents.values()) + directory


def _directory(sizes: dict[str, int], starts: dict[str, int]) -> bytes:
    """The root, then what lies in it and in its storages; brothers are chained to the right."""
    paths = sorted({part for name in sizes for part in (name, name.partition("/")[0])})
    numbers = {path: index for index, path in enumerate(paths, start=1)}
    folders = {path.rpartition("/")[0] for path in paths}
    entries = {"": (5, 0, _END)} | {
        path: (2, sizes[path], starts[path]) if path in sizes else (1, 0, 0) for path in paths
    }
    directory = b""
    for path, (kind, size, start) in entries.items():
        children = [numbers[one] for one in paths if path in folders and one.rpartition("/")[0] == path]
        brothers = [one for one in paths if one.rpartition("/")[0] == path.rpartition("/")[0] and path and one > path]
        directory += _entry(
            path.rpartition("/")[2] or "Root Entry", kind=kind, start=start, size=size,
            child=children[0] if children else _NONE, right=numbers[brothers[0]] if brothers else _NONE,
        )  # fmt: skip
    return directory.ljust(-(-len(directory) // SECTOR) * SECTOR, b"\0")


def _entry(name: str, *, kind: int, start: int, size: int, child: int, right: int) -> bytes:
    encoded = (name + "\0").encode("utf-16-le")
    head = encoded.ljust(64, b"\0") + struct.pack("<HBB", len(encoded), kind, 1)
    return head + struct.pack("<III", _NONE, right, child) + bytes(36) + struct.pack("<IQ", start, size)


def msg(*, subject: str, body: str, attachments: dict[str, bytes]) -> bytes:
    """A message of Outlook, from Jan Żółw to Biuro."""
    texts = {"0037": subject, "1000": body, "0E04": "Biuro", "0C1A": "Jan Żółw", "5D01": "jan@example.pl"}
    texts["007D"] = "Received: x\r\nDate: Fri, 15 Mar 2024 10:30:00 +0100\r\n"
    streams = {f"__substg1.0_{tag}001F": text.encode("utf-16-le") for tag, text in texts.items()}
    for number, (name, content) in enumerate(attachments.items()):
        folder = f"__attach_version1.0_#{number:08X}/__substg1.0_"
        streams |= {f"{folder}3707001F": name.encode("utf-16-le"), f"{folder}37010102": content}
    return ole(streams | {"__properties_version1.0": b"x"})


def doc(body: str, *, footnotes: str = "", flags: int = 0, version: int = 0xC1) -> bytes:
    """A DOC file whose body is half in UTF-16 and half in 8-bit characters where it can be."""
    text = body + footnotes + "\r"
    pieces = [text[: len(text) // 2], text[len(text) // 2 :]]
    stream, bounds, descriptors, position = bytearray(1536), [0], b"", 0
    for piece in pieces:
        try:
            encoded, offset = piece.encode("cp1252"), len(stream) * 2 | 0x40000000
        except UnicodeEncodeError:
            encoded, offset = piece.encode("utf-16-le"), len(stream)
        descriptors += struct.pack("<HIH", 0, offset, 0)
        stream += encoded + b"\0" * (len(encoded) % 2)
        position += len(piece)
        bounds.append(position)
    table = struct.pack(f"<{len(bounds)}I", *bounds) + descriptors
    clx = b"\x01\x02\x00\x00\x00" + b"\x02" + struct.pack("<I", len(table)) + table
    struct.pack_into("<HH", stream, 0, 0xA5EC, version)
    struct.pack_into("<H", stream, 10, 0x0200 | flags)
    struct.pack_into("<7i", stream, 0x4C, len(body), len(footnotes), 0, 0, 0, 0, 0)
    struct.pack_into("<II", stream, 0x1A2, 0, len(clx))
    return ole({"1Table": clx, "WordDocument": bytes(stream)})


def ppt(slides: Sequence[tuple[str, str, str]], *, token: int = 0xE391C05F) -> bytes:
    """A PPT file; each slide has a title, an outline and a text box."""
    stream, places, listed = b"", [0], b""
    for number, (title, outline, box) in enumerate(slides, start=2):
        places.append(len(stream))
        drawn = _container(0xF00D, _atom(0x0FA0, box.encode("utf-16-le")))
        stream += _container(0x03EE, _container(0x040C, drawn))
        listed += _atom(0x03F3, struct.pack("<IIIII", number, 0, 0, number, 0))
        listed += _atom(0x0F9F, struct.pack("<I", 0)) + _atom(0x0FA0, title.encode("utf-16-le"))
        listed += _atom(0x0F9F, struct.pack("<I", 1)) + _atom(0x0FA8, outline.encode("latin-1"))
    places[0] = len(stream)
    stream += _container(0x03E8, _container(0x0FF0, listed))
    directory = len(stream)
    stream += _atom(0x1772, struct.pack(f"<I{len(places)}I", 1 | len(places) << 20, *places))
    edit = len(stream)
    stream += _atom(0x0FF5, struct.pack("<IIIIIII", 0, 0, 0, directory, 1, 0, 0))
    user = _atom(0x0FF6, struct.pack("<III", 20, token, edit) + bytes(8))
    return ole({"Current User": user, "PowerPoint Document": stream})


def _atom(kind: int, content: bytes) -> bytes:
    return struct.pack("<HHI", 0, kind, len(content)) + content


def _container(kind: int, content: bytes) -> bytes:
    return struct.pack("<HHI", 0xF, kind, len(content)) + content
