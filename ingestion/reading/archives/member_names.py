"""The names of files in a ZIP, which does not say what they are written in unless it is UTF-8."""

import struct
import zipfile
from collections.abc import Sequence
from typing import Final

from ingestion.text.diacritics import POLISH_LETTERS

_UTF8: Final = 0x800  # the bit by which an archive says so
_UNICODE_PATH: Final = 0x7075  # Info-ZIP's extra field with the name in UTF-8
_CODE_PAGES: Final = ("cp852", "cp1250")  # of DOS and of Windows in Poland; a tie goes to what Windows' own ZIP writes
_POLISH: Final = frozenset("".join(POLISH_LETTERS.values()))
_HIDDEN: Final = (".", "~$")
_OF_MACOS: Final = "__MACOSX"


def member_paths(members: Sequence[zipfile.ZipInfo]) -> list[str]:
    """The path of each member, with `/`; "" for one that leads out of the archive."""
    page = _code_page(members)
    return [_inside(_name(member, page)) for member in members]


def is_hidden(path: str) -> bool:
    """As in folders, and what macOS adds to each archive."""
    return any(part.startswith(_HIDDEN) or part == _OF_MACOS for part in path.split("/"))


def _name(member: zipfile.ZipInfo, page: str) -> str:
    if member.flag_bits & _UTF8:
        return member.orig_filename
    return _unicode_path(member.extra) or _raw(member).decode(page, errors="replace")


def _raw(member: zipfile.ZipInfo) -> bytes:
    """The bytes that `zipfile` read as those of the first IBM PC."""
    return member.orig_filename.encode("cp437", errors="replace")


def _code_page(members: Sequence[zipfile.ZipInfo]) -> str:
    """One program wrote all names: UTF-8 where they are, else the page that gives the most Polish letters."""
    written = b"\n".join(_raw(member) for member in members if not member.flag_bits & _UTF8)
    try:
        written.decode()
    except UnicodeDecodeError:
        return max(_CODE_PAGES, key=lambda page: _polishness(written.decode(page, errors="replace")))
    return "utf-8"


def _polishness(text: str) -> int:
    foreign = [letter for letter in text.lower() if not letter.isascii()]
    return sum(1 if letter in _POLISH else -1 for letter in foreign)


def _unicode_path(extra: bytes) -> str:
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        if kind == _UNICODE_PATH and size > 5:
            return extra[9 : 4 + size].decode(errors="replace")  # after a version and a checksum of the other name
        extra = extra[4 + size :]
    return ""


def _inside(name: str) -> str:
    """Archives of Windows have backslashes. An absolute path, a drive or `..` is no place in a collection."""
    name = name.replace("\x00", "").replace("\\", "/")
    parts = [part for part in name.split("/") if part not in {"", "."}]
    leads_out = name.startswith("/") or ".." in parts or (bool(parts) and parts[0].endswith(":"))
    return "" if leads_out else "/".join(parts)
