"""How alike two words begin: a cheap sign that they are of one family."""

import re

LEAST = 3  # letters that must agree

_ENDING = re.compile(r"(?<=\w{3})(?:owac|iwac|ywac|nac|[aeiy]c|owy|ny|ski|cki|[aeiouy]+)\Z")
_SUFFIX = re.compile(r"[aeiouy]|n|sk|ck|k|c|l|w|z|\Z")
_CHANGES = tuple(map(set, ("tc", "kc", "gz", "dz")))  # "opłata" and "opłacić", "wpływ" and "wpłynąć"


def alike(left: str, right: str) -> float:
    """The share of letters that two words begin with alike, 0 below three letters."""
    same = _shared(left, right)
    return 2 * same / (len(left) + len(right)) if same >= LEAST else 0.0


def are_derived(left: str, right: str) -> bool:
    """Whether one of two lemmas may come from the other, or both from one word: "kara" and "karny", not "karta".

    Both without diacritics. They agree in the stem of the shorter one, of which the last letter may change as in
    "wypłata" and "wypłacić", and the rest of the longer one begins as Polish suffixes do.
    """
    shorter, longer = sorted((left, right), key=lambda lemma: len(_stem(lemma)))
    stem, shared = _stem(shorter), _shared(left, right)
    if shared >= max(LEAST, len(stem)):
        return shorter == longer or bool(_SUFFIX.match(longer, len(stem)))
    return LEAST <= shared == len(stem) - 1 and {stem[-1], longer[shared : shared + 1]} in _CHANGES


def _shared(left: str, right: str) -> int:
    """How many letters they begin with alike."""
    for place, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            return place
    return min(len(left), len(right))


def _stem(lemma: str) -> str:
    return _ENDING.sub("", lemma)
