"""What typists draw with letters: dotted lines of forms, spaced-out headings."""

import re

_LEADER = re.compile(r"[ \t]*(?:[._…·](?:[ \t\u00a0]*[._…·]){4,}|…(?:[ \t]*…)+)[ \t]*")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SPACED = re.compile(r"(?<!\S)(?:[^\W\d_a-ząćęłńóśźż] ){4,}[^\W\d_a-ząćęłńóśźż](?!\S)")


def plain_typography(line: str) -> str:
    """`line` with each run of five or more dots or underscores as one "…", and "U C H W A Ł A" as one word.

    A place to fill in is one sign, not forty; a word that is spaced out would never be found.
    """
    return _SPACED.sub(lambda match: match[0].replace(" ", ""), _LEADER.sub(" … ", line))


def raised(text: str) -> str:
    """Superscript as plain text: a raised letter marks a footnote, and would make "rozwodd" of a word; m² stays m²."""
    if not text.strip():
        return text
    return text.translate(_RAISED) if text.strip().isdigit() else f" ({text.strip()})"
