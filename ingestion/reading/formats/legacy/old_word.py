"""DOC: the binary files of Word 97 to 2003, read by their piece table.

The text lies in pieces of 8-bit or 16-bit characters that the table stream lists in order: [MS-DOC] 2.4.1.
"""

import struct
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from ingestion.errors import CorruptDocument, EncryptedDocument, UnsupportedMediaType
from ingestion.reading.encoding import clean
from ingestion.reading.failures import reading, require_text
from ingestion.reading.formats.legacy.old_word_text import blocks_of, with_note_marks, without_fields
from ingestion.reading.formats.legacy.ole import ole_streams
from ingestion.types import ExtractedText, Progress

_MAGIC, _WORD_97 = 0xA5EC, 0x00C1
_ENCRYPTED, _SECOND_TABLE = 0x0100, 0x0200
_CLX = 0x01A2
_LENGTHS = 0x004C
"""Where the counts of characters stand: body, footnotes, headers, macros, comments, endnotes, text boxes."""

_PIECES, _PROPERTIES = 0x02, 0x01


class OldWordExtractor:
    """Paragraphs, tables, footnotes and text boxes of Word 97 to 2003.

    Headings look like paragraphs, automatic numbers are lost, deleted text of tracked changes stays. Left out:
    headers and footers, comments, pictures. Raises Encrypted-, Corrupt-, EmptyDocument, UnsupportedMediaType.
    """

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        with reading("DOC"):
            streams = ole_streams(content, ("WordDocument", "0Table", "1Table"))
            body, *others = _stories(streams)
            texts = with_note_marks(without_fields(body), [without_fields(text) for text in others])
            blocks = [block for text in texts for block in blocks_of(text)]
        progress(1, 1)
        return ExtractedText(text=require_text(clean("\n\n".join(blocks))), extractor="old_word")


def _stories(streams: dict[str, bytes]) -> list[str]:
    """The body, the footnotes, the endnotes and the text boxes."""
    header = streams.get("WordDocument", b"")
    table = _table_stream(header, streams)
    offset, size = struct.unpack_from("<II", header, _CLX)
    lengths = [max(one, 0) for one in struct.unpack_from("<7i", header, _LENGTHS)]
    whole = "".join(_pieces(header, _piece_table(table[offset : offset + size])))
    ends = [sum(lengths[: index + 1]) for index in range(7)]
    return [whole[ends[index] - lengths[index] : ends[index]] for index in (0, 1, 5, 6)]


def _table_stream(header: bytes, streams: dict[str, bytes]) -> bytes:
    if len(header) < _CLX + 8 or struct.unpack_from("<H", header)[0] != _MAGIC:
        raise CorruptDocument(_("The file is not a document of Word."))
    if struct.unpack_from("<H", header, 2)[0] < _WORD_97:
        raise UnsupportedMediaType(_("Documents of Word 6 and 95 are not supported."))
    flags = struct.unpack_from("<H", header, 10)[0]
    if flags & _ENCRYPTED:
        raise EncryptedDocument(_("The file is protected with a password."))
    return streams.get("1Table" if flags & _SECOND_TABLE else "0Table", b"")


def _piece_table(clx: bytes) -> bytes:
    """The list of pieces; property blocks come before it."""
    place = 0
    while place + 5 <= len(clx):
        if clx[place] == _PIECES:
            return clx[place + 5 : place + 5 + struct.unpack_from("<I", clx, place + 1)[0]]
        if clx[place] != _PROPERTIES:
            break
        place += 3 + struct.unpack_from("<H", clx, place + 1)[0]
    raise CorruptDocument(_("The file is damaged: its text cannot be found."))


def _pieces(stream: bytes, table: bytes) -> Iterator[str]:
    """`table`: n + 1 positions of characters, then n descriptors of 8 bytes."""
    count = max((len(table) - 4) // 12, 0)
    bounds: Sequence[int] = struct.unpack_from(f"<{count + 1}I", table)
    if bounds[-1] > len(stream) or list(bounds) != sorted(bounds):  # every character takes a byte of its own
        raise CorruptDocument(_("The file is damaged: its text cannot be found."))
    for index in range(count):
        length = bounds[index + 1] - bounds[index]
        descriptor = struct.unpack_from("<I", table, 4 * (count + 1) + 8 * index + 2)[0]
        offset = descriptor & 0x3FFFFFFF
        if descriptor & 0x40000000:  # one byte a character, at half the offset
            yield stream[offset // 2 : offset // 2 + length].decode("cp1252", errors="replace")
        else:
            yield stream[offset : offset + 2 * length].decode("utf-16-le", errors="replace")
