"""The one analyser of index and query: text in, words with their lemmas out."""

import re
import unicodedata
from functools import lru_cache

from ingestion.text.lemmas import Lemmatiser
from ingestion.text.stop_words import STOP_WORDS
from ingestion.types import Token

# A number with its groups of thousands and decimals, or a word; a word may go on after an apostrophe or a hyphen.
_WORD = re.compile(
    r"\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?![\d])(?:,\d+)?|\d+(?:[.,]\d+)*[a-zA-Z]?(?![^\W_])|[^\W_]+(?:['’][^\W_]+)?"
)
# Polish inflection glued on to foreign words and acronyms: JWT-a, API-em, PDF-ów, middleware'u.
_SUFFIX = frozenset("a u em e ie owi y i ów om ami ach ą ę ego emu ej im ych ym ymi go mu m ce cie ze że".split())
_MAX_LENGTH = 100


class PolishAnalyser:
    """Implements `ingestion.protocols.Analyser`."""

    def __init__(self, lemmatiser: Lemmatiser | None = None) -> None:
        self.lemmatiser = lemmatiser or Lemmatiser()
        self._lemmatise = self.lemmatiser.lemma

    def tokens(self, text: str) -> list[Token]:
        found = []
        for match in _WORD.finditer(text):
            word, start = match.group(), match.start()
            if self._is_glued_suffix(text, word, start):
                continue
            form = normal_form(word)
            found.append(Token(form=form, lemma=self._lemmatise(form), start=start, end=match.end()))
        return found

    def is_stop_word(self, token: Token) -> bool:
        return token.form in STOP_WORDS

    @staticmethod
    def _is_glued_suffix(text: str, word: str, start: int) -> bool:
        """Whether `word` is the ending in "JWT-a": after a hyphen that follows a capital or a digit."""
        if start < 2 or len(word) > 4 or text[start - 1] not in "-‑–":
            return False
        return word in _SUFFIX and (text[start - 2].isupper() or text[start - 2].isdigit())


@lru_cache(maxsize=200_000)
def normal_form(word: str) -> str:
    """The form under which a written word is indexed: lower case, composed, without an ending after an apostrophe.

    Numbers lose the spaces between thousands; the decimal comma becomes a point: "1 234,56" is "1234.56".
    """
    if word[0].isdigit():
        return re.sub(r"\s", "", word).replace(",", ".").lower()
    base, _, suffix = word.replace("’", "'").partition("'")
    if suffix and suffix.lower() not in _SUFFIX and suffix.lower() not in {"s", "t", "re", "ll", "ve"}:
        base += suffix
    return unicodedata.normalize("NFC", base).lower()[:_MAX_LENGTH]


@lru_cache(maxsize=1)
def analyser() -> PolishAnalyser:
    """The process-wide analyser, with its warm caches."""
    return PolishAnalyser()
