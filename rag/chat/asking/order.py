"""The order of a Polish dictionary, whatever collations the database was built with."""

_ALPHABET = "aąbcćdeęfghijklłmnńoópqrsśtuvwxyzźż"
_PLACES = {ord(letter): chr(1000 + place) for place, letter in enumerate(_ALPHABET)}


def dictionary_order(text: str) -> tuple[str, str]:
    """A key to sort by: letters as in the dictionary, capitals beside small ones, digits before letters."""
    return text.casefold().translate(_PLACES), text
