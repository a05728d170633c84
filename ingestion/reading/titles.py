"""What a document is called: what it says itself, unless that is a label of a form, else the name of its file."""

import re
from pathlib import PurePath

LONGEST = 500

_NUMBERED = re.compile(
    r"^(?:zadanie|pytanie|ćwiczenie|strona|tabela|rysunek|punkt|slajd|arkusz|task|question|exercise|page|table|figure"
    r"|slide|sheet)\s*(?:nr\s*)?[\dIVX]+[.):]?$",
    re.I,
)
_PROGRAM = re.compile(
    r"^(?:microsoft (?:word|excel|powerpoint)\b|prezentacja programu powerpoint|powerpoint presentation|dokument\d*$"
    r"|document\d*$|book\d*$|zeszyt\d*$|untitled\b|bez tytułu\b|new document|skan\b.{0,12}$|scan\b.{0,12}$)",
    re.I,
)
_LETTERS = re.compile(r"[^\W\d_]")
_TEXTS = {
    ".pdf", ".docx", ".doc", ".odt", ".rtf", ".txt", ".md", ".markdown", ".html", ".htm", ".mht", ".mhtml", ".xlsx",
    ".xls", ".ods", ".csv", ".tsv", ".pptx", ".ppt", ".odp", ".eml", ".msg", ".png", ".jpg", ".jpeg", ".tif", ".tiff",
    ".webp", ".gif", ".bmp", ".json", ".jsonl", ".tex",
}  # fmt: skip
"""Endings that say nothing to a reader; of a program's source the ending is a part of the name."""


def document_title(said: str, *, file_name: str) -> str:
    """At most `LONGEST` characters. `said` is the title that the text or the properties of a file have, "" for none."""
    title = " ".join(said.split())
    return (title if is_telling(title) else title_of_file(file_name) or title or file_name)[:LONGEST]


def is_telling(title: str) -> bool:
    """Whether it may be a title: no label of a field, no number of a task, not what programs write by themselves."""
    if len(_LETTERS.findall(title)) < 3 or _NUMBERED.match(title) or _PROGRAM.match(title):
        return False
    return not (title.endswith(":") or _is_label(title))


def _is_label(title: str) -> bool:
    """A label with its value, as forms begin with: "Nazwa i adres jednostki: Urząd Gminy"."""
    label, colon, _value = title.partition(":")
    words = label.split()
    return bool(colon) and bool(words) and words[0].lower() in _FIELDS


_FIELDS = frozenset(
    "nazwa adres data numer nr pesel nip regon imię imiona nazwisko miejscowość telefon tel e-mail email od do dotyczy"
    " znak sygnatura name address date number".split()
)


def title_of_file(name: str) -> str:
    """ "raport_finansowy_2024.pdf" as "raport finansowy 2024"; "main.py" as it is."""
    path = PurePath(name)
    stem = path.stem if path.suffix.lower() in _TEXTS else path.name
    if " " not in stem:
        stem = re.sub(r"(?<=\w)_+(?=\w)", " ", stem)
    return stem.strip(" _")
