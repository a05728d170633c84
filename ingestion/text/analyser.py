"""The one analyser of index and query: text in, words with their lemmas out."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from ingestion.text.lemmas import Lemmatiser
from ingestion.text.stop_words import FOLDED_STOP_WORDS, STOP_WORDS
from ingestion.text.written import SPECIAL, parts
from ingestion.types import Token

Word = tuple[str, str]
"""(form, lemma), both lower case."""

_MAX_LENGTH = 100
_CACHED = 300_000  # written words
# Polish inflection glued on to foreign words and acronyms: JWT-a, API-em, PDF-ów, middleware'u.
_ENDINGS = "owi|ego|emu|ych|ymi|ami|ach|cie|em|ie|ów|om|ej|im|ym|go|mu|ce|ze|że|a|u|e|y|i|ą|ę|m"
_WORD = re.compile(
    rf"{SPECIAL}|[^\W_]+(?:['’][^\W_]+|(?<=[A-ZĄĆĘŁŃÓŚŹŻ\d])[-‑–](?:{_ENDINGS})(?![^\W_]))?",
)
_GLUED = re.compile(rf"(?:[-‑–]|['’])(?:{_ENDINGS}|s)$", re.IGNORECASE)


class PolishAnalyser:
    """Implements `ingestion.protocols.Analyser`. A written word is analysed once; its words are then looked up."""

    def __init__(self, lemmatiser: Lemmatiser | None = None) -> None:
        self.lemmatiser = lemmatiser or Lemmatiser()
        self._analysed = lru_cache(maxsize=_CACHED)(self._analyse)
        self._seen: set[str] = set()

    def tokens(self, text: str) -> list[Token]:
        """Words with their place. A date or an identifier gives several words at one place."""
        return [
            Token(form=form, lemma=lemma, start=match.start(), end=match.end())
            for match in _WORD.finditer(text)
            for form, lemma in self._analysed(match.group())
        ]

    def words(self, text: str) -> list[Word]:
        """The same words without their places, at several times the speed."""
        return self.words_of(self.written(text))

    def written(self, text: str) -> list[str]:
        """The words of `text` as they stand, for `words_of`."""
        return _WORD.findall(text)

    def words_of(self, written: Iterable[str]) -> list[Word]:
        analysed = self._analysed
        return [word for text in written for word in analysed(text)]

    def unseen_forms(self, written: Iterable[str]) -> set[str]:
        """The forms of written words that were never asked for here: their lemmas may be known elsewhere."""
        new = set(written) - self._seen
        if len(self._seen) > _CACHED:
            self._seen.clear()
        self._seen |= new
        return {normal_form(part) for text in new for part in parts(text)}

    def is_stop_word(self, token: Token) -> bool:
        return token.form in STOP_WORDS or (token.form in FOLDED_STOP_WORDS and not self.lemmatiser.knows(token.form))

    def _analyse(self, written: str) -> tuple[Word, ...]:
        return tuple((form, self.lemmatiser.lemma(form)) for form in map(normal_form, parts(written)))


def normal_form(word: str) -> str:
    """The form under which a written word is indexed: lower case, composed, without a glued ending."""
    bare = _GLUED.sub("", word) if not word[0].isdigit() else word
    return unicodedata.normalize("NFC", bare or word).replace("'", "").replace("’", "").lower()[:_MAX_LENGTH]


@lru_cache(maxsize=1)
def analyser() -> PolishAnalyser:
    """The process-wide analyser, with its warm caches."""
    return PolishAnalyser()
