"""Where in a text the words stand that a passage was found by."""

from collections.abc import Callable, Iterable

from ingestion.text.analyser import analyser
from rag.types import WordMatch


def hit_places(text: str, words: Iterable[WordMatch]) -> list[tuple[int, int]]:
    """(start, end) of every written word of `text` with a form of `words`, in order, each once.

    The analyser says what a word is, as it did for the index: the place of "JWT-a" is all of it, its form is "jwt".
    """
    forms = {form for word in words for form in word.forms}
    if not forms:
        return []
    return sorted({(token.start, token.end) for token in analyser().tokens(text) if token.form in forms})


def styled_hits(
    text: str, words: Iterable[WordMatch], *, hit: Callable[[str], str], rest: Callable[[str], str] = str
) -> str:
    """`text` with `hit` applied to each word found and `rest` to what stands between them."""
    parts, done = [], 0
    for start, end in hit_places(text, words):
        parts += [rest(text[done:start]), hit(text[start:end])]
        done = end
    return "".join([*parts, rest(text[done:])])
