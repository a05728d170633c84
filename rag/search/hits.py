"""Where in a text the words stand that a passage was found by."""

from collections.abc import Callable, Collection, Iterable

from ingestion.text.analyser import analyser
from rag.types import WordMatch


def forms_found(words: Iterable[WordMatch]) -> frozenset[str]:
    """The forms in which `words` of the question stand in their passage."""
    return frozenset(form for word in words for form in word.forms)


def hit_places(text: str, wanted: Collection[str]) -> list[tuple[int, int]]:
    """(start, end) of every written word of `text` whose form or lemma is `wanted`, in order, each once.

    The analyser says what a word is, as it did for the index: the place of "JWT-a" is all of it, its form is "jwt".
    """
    if not wanted:
        return []
    tokens = analyser().tokens(text)
    return sorted({(token.start, token.end) for token in tokens if token.form in wanted or token.lemma in wanted})


def styled_hits(
    text: str, wanted: Collection[str], *, hit: Callable[[str], str], rest: Callable[[str], str] = str
) -> str:
    """`text` with `hit` applied to each word found and `rest` to what stands between them."""
    parts, done = [], 0
    for start, end in hit_places(text, wanted):
        parts += [rest(text[done:start]), hit(text[start:end])]
        done = end
    return "".join([*parts, rest(text[done:])])
