"""The names in a claim that its source does not have, and the name that stands there instead."""

from collections.abc import Iterable, Sequence

from ingestion.text.names.mention import Named
from ingestion.text.names.name_words import WORD, name_words
from ingestion.text.names.names import find_names

_ADDRESSED = frozenset(
    "twój twoja twoje twojego twojej twojemu twoją twoim twoich twoimi ty ciebie tobie tobą cię ci wasz wasza wasze "
    "waszego waszej waszych pan pana panu panem pani panią państwo państwa państwu państwem".split()
)


def names_of(text: str) -> list[Named]:
    """Capitalised names in `text`, in order; who is addressed is none."""
    return [name for name in find_names(text) if name.name.lower() not in _ADDRESSED]


def keys_of(names: Iterable[Named]) -> frozenset[str]:
    """What joins the inflections of each word of the names."""
    return frozenset(key for name in names for key in name.key.split())


def stands_in(name: Named, keys: frozenset[str], lemmas: frozenset[str], text: str) -> bool:
    """Whether every word of `name` stands in the source, in whatever inflection, also as a common word."""
    words = [word for word in WORD.findall(name.name) if len(word) > 1] or [name.name]
    parts = name.key.split()
    lowered = text.lower()
    return all(part in keys or part in lemmas for part in parts) or all(
        name_words().key(word) in keys | lemmas or _written(word, lowered) for word in words
    )


def replaced_by(name: Named, among: Sequence[Named], *, besides: Sequence[Named]) -> Named | None:
    """A name of the same kind as `name` in the source, one that the claim does not have: said instead of it."""
    taken = keys_of(besides)
    others = [other for other in among if _sort(other) == _sort(name) and not set(other.key.split()) & taken]
    return others[0] if others else None


def is_person(name: Named) -> bool:
    """Whether it is several words with a given name among them."""
    words = WORD.findall(name.name)
    return len(words) > 1 and any(name_words().is_given_name(word) for word in words)


def _sort(name: Named) -> str:
    """A rough kind: persons, acronyms, the rest."""
    if is_person(name):
        return "person"
    return "acronym" if name.name.isupper() else "other"


def _written(word: str, lowered: str) -> bool:
    """Foreign names bend in ways no dictionary has: their first letters, but for an ending, will do."""
    bare = word.lower()
    return len(bare) > 4 and bare[: max(4, len(bare) - 2)] in lowered
