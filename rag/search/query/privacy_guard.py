"""What is not looked up where personal data are covered: numbers, whole or in pieces.

The index has what the documents say. Whoever may not see a number could otherwise ask for it piece by piece, 390 groups
of four digits a question, until a passage answers. A year or an amount is not found there by itself then; what readers
see of the passages that other words find is ranked by their numbers as ever.
"""

import re

from ingestion.text.surface_forms import SPECIAL

_OPEN = re.compile(r"(?:art|ust|pkt)\.\d+[a-z]?|§\d+[a-z]?|\d{4}-\d\d-\d\d")  # a provision or a day is no such number
_DIGITS = 2  # one says too little to be worth asking for
_WRITTEN = re.compile(rf"{SPECIAL}|\S*\d\S*|\S+@\S+")


def may_be_hidden(form: str) -> bool:
    """Whether `form`, as the index has it, can be a piece of personal data."""
    return sum(map(str.isdigit, form)) >= _DIGITS and not _OPEN.fullmatch(form)


def without_numbers(text: str) -> str:
    """`text` without what has digits, and without e-mail addresses."""
    return " ".join(_WRITTEN.sub(" ", text).split())
