"""The key under which a word or phrase of several words is found in any inflection."""

from ingestion.text.analyser import analyser

_NEGATIONS = frozenset("nie bez ani not without no".split())


def phrase_of(text: str) -> str:
    """The lemmas of `text` without function words, joined by spaces; "" where nothing else is left.

    A question loses its function words too, so "praca na odległość" still stands in it as neighbouring words.
    """
    return " ".join(token.lemma for token in analyser().content_tokens(text))


def is_negated(text: str) -> bool:
    """Whether `text` says "not" or "without". No search looks for these words, so it would find the opposite."""
    return any(token.form in _NEGATIONS for token in analyser().tokens(text))


def is_set_phrase(text: str) -> bool:
    """Whether little is left of `text` without its function words: "co dzień", "do połowy"."""
    words = analyser().tokens(text)
    return len(words) > 1 and len(phrase_of(text).split()) < 2
