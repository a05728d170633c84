"""Words as answers and labels are compared by: their lemmas, in order, one notation for numbers and dates.

"26 dni" is found in "26 dniach", "1 234,56 zł" in "1234.56 złotych", "12 marca 2024 r." in "2024-03-12".
"""

import re
from collections.abc import Sequence

from ingestion.text.analyser import analyser
from rag.answering.claims import MARKER
from rag.evaluation.datasets.questions import ALTERNATIVE, BEGINNING, NOT

_CURRENCIES = {"pln": "złoty", "zł": "złoty"}


def without_markers(text: str) -> str:
    """`text` without its `[n]`."""
    return MARKER.sub("", text)


def lemmas(text: str) -> list[str]:
    """Lemmas of every word, function words included, in order."""
    return [_CURRENCIES.get(lemma, lemma) for _, lemma in analyser().words(without_markers(text))]


def content_lemmas(text: str) -> list[str]:
    """Lemmas of the words that carry a topic, in order; those that occur twice stand twice."""
    tokens = analyser().content_tokens(without_markers(text))
    return [_CURRENCIES.get(token.lemma, token.lemma) for token in tokens]


def contains(text: str, expected: str) -> bool:
    """Whether the words of `expected` stand in `text` one after another, as written or in any inflection; of
    alternatives, "60 minut | godzina", those of one.

    Whole words are compared, "6 dni" is not in "26 dni"; only "przesłan*" is the beginning of one. "!Burmistrz" asks
    that the words are not there.
    """
    if expected.startswith(NOT):
        return not contains(text, expected.removeprefix(NOT))
    forms, said = _forms(text), lemmas(text)
    return any(
        _stands_in(_forms(one), forms) or _stands_in(lemmas(one), said) or _begins_in(one.strip(), text)
        for one in expected.split(ALTERNATIVE)
    )


def _forms(text: str) -> list[str]:
    return [form for form, _ in analyser().words(without_markers(text))]


def _begins_in(beginning: str, text: str) -> bool:
    """Letter by letter; a number is never cut in two."""
    bare = beginning.removesuffix(BEGINNING)
    sought = rf"(?<!\w){re.escape(bare)}(?!(?<=\d)\d)"
    return bare not in {"", beginning} and bool(re.search(sought, without_markers(text), re.IGNORECASE))


def _stands_in(wanted: Sequence[str], words: Sequence[str]) -> bool:
    return bool(wanted) and any(
        words[start : start + len(wanted)] == wanted for start in range(len(words) - len(wanted) + 1)
    )
