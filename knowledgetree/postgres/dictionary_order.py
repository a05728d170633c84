"""The order of a Polish dictionary, whatever collations the database was built with."""

from django.db.models import Func, Value
from django.db.models.functions import Collate, Lower, Replace

# "~" stands behind all letters, so "ą" follows "az".
_AFTER = {"ą": "a~", "ć": "c~", "ę": "e~", "ł": "l~", "ń": "n~", "ó": "o~", "ś": "s~", "ź": "z~", "ż": "z~~"}


def in_dictionary_order(field: str) -> Collate:
    """What rows are ordered by: letters of a text field as in the dictionary, capitals beside small ones, digits before
    letters. An index of documents is made of it.
    """
    text: Func = Lower(field)
    for letter, after in _AFTER.items():
        text = Replace(text, Value(letter), Value(after))
    return Collate(text, "C")
