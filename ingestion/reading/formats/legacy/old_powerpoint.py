"""PPT: the binary files of PowerPoint 97 to 2003. Records lie in records; a directory says where each slide begins.

[MS-PPT] 2.1.2 (the persist object directory) and 2.4.14.3 (the texts of slides).
"""

import struct
from collections.abc import Iterator

from django.utils.translation import gettext as _

from ingestion.errors import CorruptDocument, EncryptedDocument
from ingestion.reading.failures import reading
from ingestion.reading.formats.legacy.ole import ole_streams
from ingestion.reading.formats.legacy.powerpoint_records import Record, records, text_of, texts_in
from ingestion.reading.formats.text.markdown import first_heading
from ingestion.reading.pages import joined_pages
from ingestion.types import ExtractedText, Progress

_EDIT, _DIRECTORY = 0x0FF5, 0x1772
_SLIDE_LIST, _SLIDE, _TEXT_KIND = 0x0FF0, 0x03F3, 0x0F9F
_TITLES = (0, 6)
_ENCRYPTED = 0xF3D1C4DF
_MAX_EDITS = 1000


class OldPowerPointExtractor:
    """Slides are pages: the title as a heading, then the other texts. Left out: tables' shape, notes, pictures.

    Raises Encrypted-, Corrupt- or EmptyDocument.
    """

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        with reading("PPT"):
            streams = ole_streams(content, ("PowerPoint Document", "Current User"))
            texts = ["\n\n".join(blocks) for blocks in _slides(streams)]
        progress(1, 1)
        text, pages = joined_pages(texts)
        return ExtractedText(text=text, extractor="old_powerpoint", title=first_heading(text), pages=pages)


def _slides(streams: dict[str, bytes]) -> Iterator[list[str]]:
    stream = streams.get("PowerPoint Document", b"")
    document, places = _directory(stream, streams.get("Current User", b""))
    for inner in records(stream, document.start, document.end):
        if inner.kind == _SLIDE_LIST and inner.instance == 0:
            for number, outline in _outlines(stream, inner):
                place = places.get(number)
                drawn = list(texts_in(stream, _record(stream, place))) if place is not None else []
                yield [*outline, *drawn]


def _directory(stream: bytes, user: bytes) -> tuple[Record, dict[int, int]]:
    """The record of the document and the place of each object; later edits are met first and win."""
    if len(user) < 20 or not stream:
        raise CorruptDocument(_("The file is not a presentation of PowerPoint."))
    if struct.unpack_from("<I", user, 12)[0] == _ENCRYPTED:
        raise EncryptedDocument(_("The file is protected with a password."))
    places: dict[int, int] = {}
    edit, document = struct.unpack_from("<I", user, 16)[0], 0
    for _number in range(_MAX_EDITS):
        record = _record(stream, edit)
        if record.kind != _EDIT:
            break
        edit, directory, reference = struct.unpack_from("<III", stream, record.start + 8)
        document = document or reference
        for identifier, place in _entries(stream, _record(stream, directory)):
            places.setdefault(identifier, place)
        if not edit:
            break
    return _record(stream, places.get(document, 0)), places


def _entries(stream: bytes, directory: Record) -> Iterator[tuple[int, int]]:
    place = directory.start
    while directory.kind == _DIRECTORY and place + 4 <= directory.end:
        head = struct.unpack_from("<I", stream, place)[0]
        first, count = head & 0xFFFFF, head >> 20
        for index, found in enumerate(struct.unpack_from(f"<{count}I", stream, place + 4)):
            yield first + index, found
        place += 4 + 4 * count


def _outlines(stream: bytes, listed: Record) -> Iterator[tuple[int, list[str]]]:
    """For each slide its number in the directory and the blocks of its title and body."""
    number, blocks, kind = 0, list[str](), 0
    for record in records(stream, listed.start, listed.end):
        if record.kind == _SLIDE:
            if number:
                yield number, blocks
            number, blocks = struct.unpack_from("<I", stream, record.start)[0], []
        elif record.kind == _TEXT_KIND:
            kind = struct.unpack_from("<I", stream, record.start)[0]
        elif lines := text_of(stream, record):
            blocks.append(f"# {' '.join(lines)}" if kind in _TITLES else "\n".join(f"- {line}" for line in lines))
    if number:
        yield number, blocks


def _record(stream: bytes, place: int) -> Record:
    found = next(records(stream, place, len(stream)), None)
    if found is None:
        raise CorruptDocument(_("The file is damaged: its text cannot be found."))
    return found
