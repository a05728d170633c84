"""Texts compared without regard to case and diacritics, in SQL too: "zolw" finds "Żółw"."""

import unicodedata
from typing import Any

from django.db.models import F, Func, TextField, Value
from django.db.models.functions import Lower

from ingestion.text.diacritics import fold

# Letters of Latin alphabets, large ones too: a database of locale C does not know their small forms.
_PLAIN = {
    letter: plain.lower()
    for letter in map(chr, range(0xC0, 0x250))
    if letter.isalpha() and len(plain := fold(letter)) == 1 and plain.isascii()
}
_TABLE = str.maketrans(_PLAIN)


def folded(text: str) -> str:
    """`text` as `Folded` makes it, to compare with."""
    return unicodedata.normalize("NFC", text).lower().translate(_TABLE)


class Folded(Func):
    """A column in small letters without diacritics; as long as it was."""

    function = "TRANSLATE"

    def __init__(self, column: str | F, **extra: Any) -> None:
        letters, plain = Value("".join(_PLAIN)), Value("".join(_PLAIN.values()))
        super().__init__(Lower(column), letters, plain, output_field=TextField(), **extra)
