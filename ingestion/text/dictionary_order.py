"""The order of a Polish dictionary, whatever collations the database was built with."""

from django.db.models import Func, Value
from django.db.models.functions import Collate, Lower, Replace

from ingestion.text.diacritics import ALPHABET

_PLACES = {ord(letter): chr(1000 + place) for place, letter in enumerate(ALPHABET)}
# "~" stands behind all letters, so "ą" follows "az".
_AFTER = {"ą": "a~", "ć": "c~", "ę": "e~", "ł": "l~", "ń": "n~", "ó": "o~", "ś": "s~", "ź": "z~", "ż": "z~~"}


def dictionary_order(text: str) -> tuple[str, str]:
    """A key to sort by: letters as in the dictionary, capitals beside small ones, digits before letters."""
    return text.casefold().translate(_PLACES), text


def in_dictionary_order(field: str) -> Collate:
    """The same for rows, which are ordered by a text field."""
    text: Func = Lower(field)
    for letter, after in _AFTER.items():
        text = Replace(text, Value(letter), Value(after))
    return Collate(text, "C")
