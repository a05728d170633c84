"""Reads RTF: groups in braces, control words such as `\\par`, and text between them.

Rich Text Format (RTF) Specification, version 1.9.1, Microsoft 2008.
"""

import re
from dataclasses import dataclass, replace

from ingestion.reading.formats.rtf.blocks import BlockWriter

_TOKEN = re.compile(
    r"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|[\r\n]+|([^\\{}\r\n]+)|.", re.S
)
_SKIPPED = set(
    "colortbl stylesheet header headerl headerr headerf footer footerl footerr footerf pict fldinst annotation atnid "
    "atnauthor atrfstart atrfend nonshppict shprslt sp objdata objclass listtable listoverridetable rsidtbl generator "
    "author operator company keywords subject comment doccomm creatim revtim printim buptim category manager xe tc "
    "bkmkstart bkmkend private passwordhash revtbl filetbl".split()
)
_STARRED = {"shpinst", "shptxt", "pntext", "result"}
"""Groups marked as optional that hold text all the same."""

_SIGNS = {
    "line": "\n", "tab": "\t", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "bullet": "•", "emspace": " ", "enspace": " ", "~": "\u00a0", "_": "-", "\n": "\n",
    "{": "{", "}": "}", "\\": "\\",
}  # fmt: skip
_CHARSETS = {
    "238": "cp1250", "204": "cp1251", "161": "cp1253", "162": "cp1254", "177": "cp1255", "178": "cp1256",
    "186": "cp1257", "222": "cp874", "128": "cp932", "129": "cp949", "134": "gbk", "136": "cp950", "77": "mac_roman",
    "255": "cp437", "0": "cp1252",
}  # fmt: skip
_MAX_DEPTH = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """What holds until the group ends. `into`: "text", "fonts", "title", "label" or "skip"."""

    into: str = "text"
    encoding: str = "cp1252"
    hidden: bool = False
    unicode_length: int = 1


class RtfReader:
    """Reads one file; `title` is the one of its properties."""

    def __init__(self) -> None:
        self.title = ""
        self._writer = BlockWriter()
        self._group = _Group()
        self._stack: list[_Group] = []
        self._notes: list[int] = []
        self._fonts: dict[str, str] = {}
        self._font = ""
        self._base = "cp1252"
        self._starred = False
        self._to_skip = 0

    def read(self, text: str) -> list[str]:
        """The blocks as Markdown. Never fails: a broken file gives what stands before the break."""
        place = 0
        while match := _TOKEN.match(text, place):
            word, number, byte, sign, brace, plain = match.groups()
            place = match.end()
            if brace:
                self._brace(brace)
            elif word == "bin":
                place += max(int(number or 0), 0)
            elif word:
                self._control(word, number)
            elif byte:
                self._write(bytes.fromhex(byte).decode(self._group.encoding, errors="replace"), counts=1)
            elif sign:
                self._sign(sign)
            elif plain:
                self._write(self._decoded(plain), counts=len(plain))
        return self._writer.finish()

    def _decoded(self, plain: str) -> str:
        return plain if plain.isascii() else plain.encode("latin-1").decode(self._group.encoding, errors="replace")

    def _brace(self, brace: str) -> None:
        self._to_skip, self._starred = 0, False
        if brace == "{" and len(self._stack) < _MAX_DEPTH:
            self._stack.append(self._group)
        elif brace == "}" and self._stack:
            if self._notes and self._notes[-1] == len(self._stack):
                self._notes.pop()
                self._writer.end_note()
            self._group = self._stack.pop()

    def _sign(self, sign: str) -> None:
        if sign == "*":
            self._starred = True
        elif sign in _SIGNS:
            self._write(_SIGNS[sign], counts=1)

    def _write(self, text: str, *, counts: int) -> None:
        if self._to_skip:  # the replacement for old readers after a Unicode sign
            skipped = min(self._to_skip, counts)
            self._to_skip -= skipped
            text = text[skipped:]
        into = self._group.into
        if into == "title":
            self.title += text
        elif into in ("text", "label") and not self._group.hidden:
            self._writer.write(text, label=into == "label")

    def _control(self, word: str, number: str | None) -> None:
        starred, self._starred = self._starred, False
        if self._group.into == "fonts":
            self._font_table(word, number)
        elif word in _SKIPPED or (starred and word not in _STARRED):
            self._group = replace(self._group, into="skip")
        elif self._group.into == "skip" and word != "title":
            return
        elif word in _SIGNS:
            self._write(_SIGNS[word], counts=1)
        elif word == "u" and number:
            self._write(chr(int(number) % 0x10000), counts=0)
            self._to_skip = self._group.unicode_length
        elif not self._character(word, number):
            self._paragraph(word, number)

    def _character(self, word: str, number: str | None) -> bool:
        """Applies what concerns characters; whether the word did."""
        off = number == "0"
        if word in ("v", "deleted"):
            self._group = replace(self._group, hidden=not off)
        elif word == "plain":
            self._group = replace(self._group, hidden=False)
        elif word == "f":
            self._group = replace(self._group, encoding=self._fonts.get(number or "", self._base))
        elif word == "uc":
            self._group = replace(self._group, unicode_length=min(int(number or 1), 10))
        elif word == "ansicpg" and number:
            self._base = _known(f"cp{number}")
            self._group = replace(self._group, encoding=self._base)
        elif word in ("fonttbl", "title", "listtext", "pntext"):
            into = {"fonttbl": "fonts", "title": "title"}.get(word, "label")
            self._group = replace(self._group, into=into)
        elif word == "info":
            self._group = replace(self._group, into="skip")
        else:
            return False
        return True

    def _paragraph(self, word: str, number: str | None) -> None:
        if word == "footnote":
            self._notes.append(len(self._stack))
            self._writer.begin_note()
        elif word == "outlinelevel":
            self._writer.outline = int(number or 0) + 1
        elif word in ("par", "sect", "page"):
            self._writer.end_paragraph()
        elif word == "pard":
            self._writer.reset()
        elif word in ("intbl", "cell", "nestcell", "row", "nestrow"):
            self._writer.table(word)

    def _font_table(self, word: str, number: str | None) -> None:
        if word == "f":
            self._font = number or ""
        elif word == "fcharset" and number in _CHARSETS:
            self._fonts[self._font] = _CHARSETS[number] if number != "0" else self._base


def _known(encoding: str) -> str:
    import codecs

    try:
        return codecs.lookup(encoding).name
    except LookupError:
        return "cp1252"
