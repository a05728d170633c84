"""Footnotes and endnotes of a Word document: a mark in the text, the note after the paragraph that bears it."""

import re
from collections.abc import Iterator
from typing import Any

from ingestion.reading.formats.docx.text import NOTE_MARK, W, blocks, is_table, paragraph_text
from ingestion.reading.ooxml import parse_xml

_MARK = re.compile(f"{NOTE_MARK}([fe])(-?\\d+){NOTE_MARK}")
_KINDS = {"f": ("footnotes", "footnote"), "e": ("endnotes", "endnote")}


class Notes:
    """Numbers the notes of one document in the order of the text."""

    def __init__(self, document: Any) -> None:
        self._texts = {
            (kind, note.get(f"{W}id", "")): _text(note)
            for kind, (part, tag) in _KINDS.items()
            for note in _notes(document, part, tag)
        }
        self._count = 0

    def marked(self, text: str) -> tuple[str, list[str]]:
        """`text` with "[^1]" for each mark of a note, and the notes: "[^1]: ..."."""
        notes: list[str] = []

        def numbered(mark: re.Match[str]) -> str:
            note = self._texts.get((mark[1], mark[2]), "")
            if not note:
                return ""
            self._count += 1
            notes.append(f"[^{self._count}]: {note}")
            return f"[^{self._count}]"

        return _MARK.sub(numbered, text), notes


def without_marks(text: str) -> str:
    return _MARK.sub("", text)


def _notes(document: Any, part: str, tag: str) -> Iterator[Any]:
    """The notes of a kind without the lines that separate them from the text."""
    for relation in document.part.rels.values():
        if not relation.is_external and relation.reltype.endswith(f"/{part}"):
            for note in parse_xml(relation.target_part.blob).iter(f"{W}{tag}"):
                if note.get(f"{W}type", "normal") == "normal":
                    yield note


def _text(note: Any) -> str:
    texts = (paragraph_text(one) for one in blocks(note) if not is_table(one))
    return " ".join(" ".join(texts).split())
