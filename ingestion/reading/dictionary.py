"""Whether something is a word at all: asked where letters may have been misread or cut."""

from functools import lru_cache

from ingestion.text.analyser import analyser


@lru_cache(maxsize=100_000)
def is_polish_word(form: str) -> bool:
    """Whether SGJP has `form`, in any case of letters."""
    lower = form.lower()
    in_dictionary = analyser().lemmatiser.in_dictionary
    return in_dictionary(lower) or in_dictionary(lower.capitalize())


@lru_cache(maxsize=20_000)
def is_word(form: str) -> bool:
    """Whether the Polish or the English dictionary has `form`; slow for words that are new."""
    return is_polish_word(form) or analyser().lemmatiser.knows(form.lower())
