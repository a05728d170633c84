"""The keys under which a word or phrase of several words is found in any inflection."""

from collections.abc import Iterable, Sequence

from ingestion.text.analyser import analyser
from ingestion.types import Token

REFLEXIVE = "się"
"""Belongs to its verb, but stands before it or after it."""

_NEGATIONS = frozenset("nie bez ani not without no".split())


def phrase_of(text: str) -> str:
    """The lemmas of `text` without function words, joined by spaces; "" where nothing else is left.

    A question loses its function words too, so "praca na odległość" still stands in it as neighbouring words.
    """
    return " ".join(token.lemma for token in analyser().content_tokens(text))


def everyday_key(text: str) -> str:
    """The key of what people say: `in_any_order` of its words, "not" and "without" among them; `as_said` where only its
    function words tell it from a single word ("na raty"); "" for a lone function word.
    """
    tokens = analyser().tokens(text)
    telling = [token.lemma for token in tokens if tells(token)]
    rest = [token.lemma for token in tokens if not tells(token)]
    if len(telling) > 1 or (telling and not rest):
        return in_any_order(telling)
    if telling and set(rest) == {REFLEXIVE}:
        return in_any_order([*telling, REFLEXIVE])
    return as_said([token.lemma for token in tokens]) if len(tokens) > 1 else ""


def tells(token: Token) -> bool:
    """Whether the word carries a topic or turns it round."""
    return token.form in _NEGATIONS or not analyser().is_stop_word(token)


def in_any_order(lemmas: Iterable[str]) -> str:
    """A key that these words have wherever they stand; no `phrase_of` is like it."""
    return " ".join(["*", *sorted(set(lemmas))])


def as_said(lemmas: Sequence[str]) -> str:
    """A key of neighbouring words, function words among them, in their order; no other key is like it."""
    return " ".join(["=", *lemmas])


def is_negated(text: str) -> bool:
    """Whether `text` says "not" or "without". No search looks for these words, so it would find the opposite."""
    return any(token.form in _NEGATIONS for token in analyser().tokens(text))


def is_set_phrase(text: str) -> bool:
    """Whether little is left of `text` without its function words: "co dzień", "do połowy"."""
    words = analyser().tokens(text)
    return len(words) > 1 and len(phrase_of(text).split()) < 2
