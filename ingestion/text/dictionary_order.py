"""The order of a Polish dictionary; rows have it from `knowledgetree.postgres.dictionary_order`."""

from ingestion.text.diacritics import ALPHABET

_PLACES = {ord(letter): chr(1000 + place) for place, letter in enumerate(ALPHABET)}


def dictionary_order(text: str) -> tuple[str, str]:
    """A key to sort by: letters as in the dictionary, capitals beside small ones, digits before letters."""
    return text.casefold().translate(_PLACES), text
