"""The one analyser of index and query: text in, words with their lemmas out."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import chain

from ingestion.text.loading import loaded_once
from ingestion.text.memory import Memory
from ingestion.text.morphology.lemmas import Lemmatiser
from ingestion.text.morphology.stop_words import FOLDED_STOP_WORDS, STOP_WORDS
from ingestion.text.surface_forms import SPECIAL, parts
from ingestion.types import Token

Word = tuple[str, str]
"""(form, lemma), both lower case."""

_MAX_LENGTH = 100
_CACHED = 300_000  # pieces of text
# Polish inflection glued on to foreign words and acronyms: JWT-a, API-em, PDF-ów, middleware'u.
_ENDINGS = "owi|ego|emu|ych|ymi|ami|ach|cie|em|ie|ów|om|ej|im|ym|go|mu|ce|ze|że|a|u|e|y|i|ą|ę|m"
_WORD = re.compile(
    rf"{SPECIAL}|[^\W_]+(?:['’][^\W_]+|(?<=[A-ZĄĆĘŁŃÓŚŹŻ\d])[-‑–](?:{_ENDINGS})(?![^\W_]))?",
)
_GLUED = re.compile(rf"(?:[-‑–]|['’])(?:{_ENDINGS}|s)$", re.IGNORECASE)
# A word reaches over white space only before a digit, "art. 5" and "1 234,56", or between one and a month, "12 marca".
# Elsewhere that cuts a text into pieces, which come again and again.
_PUNCTUATION = '.,;:!?()[]„”"–'
_CUT = re.compile(r"\s(?!\d)(?:(?<!\d\s)|(?![cgklmpsw]))")


class PolishAnalyser:
    """Words of a text as the index and the query see them; one object serves both, so that they agree. Thread-safe."""

    def __init__(self) -> None:
        self.lemmatiser = Lemmatiser()
        self._known = Memory(self._analyse, size=_CACHED)

    def tokens(self, text: str) -> list[Token]:
        """Words with their place. A date or an identifier gives several words at one place."""
        return [
            Token(form=form, lemma=lemma, start=match.start(), end=match.end())
            for match in _WORD.finditer(text)
            for form, lemma in self._known[match.group()]
        ]

    def words(self, text: str) -> list[Word]:
        """The same words without their places, at many times the speed."""
        return self.words_of(self.pieces(text))

    def pieces(self, text: str) -> list[str]:
        """`text` in pieces, for `words_of`. No word stands in two of them."""
        return _CUT.split(text)

    def words_of(self, pieces: Iterable[str]) -> list[Word]:
        return list(chain.from_iterable(map(self._known.__getitem__, pieces)))

    def learn(self, pieces: Iterable[str], lemmas_of: Callable[[Collection[str]], Mapping[str, str]]) -> None:
        """Analyse pieces that are new here. `lemmas_of` is asked once, for the lemmas of all forms that are new."""
        new = {piece: _forms(piece) for piece in set(pieces) if piece not in self._known}
        known, lemma = self.lemmatiser.known, self.lemmatiser.lemma
        if unknown := {form for forms in new.values() for form in forms if form not in known}:
            known.learn(lemmas_of(unknown))
        self._known.learn({piece: tuple([(form, lemma(form)) for form in forms]) for piece, forms in new.items()})

    def content_tokens(self, text: str) -> list[Token]:
        """The words of `text` that carry a topic, in order, each as often as it stands there."""
        return [token for token in self.tokens(text) if not self.is_stop_word(token)]

    def is_stop_word(self, token: Token) -> bool:
        """Whether the word carries no topic: "i", "ile", "jest"."""
        return self.is_stop_form(token.form)

    def is_stop_form(self, form: str) -> bool:
        return form in STOP_WORDS or (form in FOLDED_STOP_WORDS and not self.lemmatiser.knows(form))

    def _analyse(self, piece: str) -> tuple[Word, ...]:
        return tuple([(form, self.lemmatiser.lemma(form)) for form in _forms(piece)])


def _forms(piece: str) -> list[str]:
    """The forms under which a piece of text is indexed; most are a single word of letters and need no closer look."""
    bare = piece.strip(_PUNCTUATION)
    if bare.isalpha():
        return [normal_form(bare)]
    return [normal_form(part) for written in _WORD.findall(piece) for part in parts(written)]


def normal_form(word: str) -> str:
    """The form under which a written word is indexed: lower case, composed, without a glued ending."""
    if word.isalpha():
        return unicodedata.normalize("NFC", word).lower()[:_MAX_LENGTH]
    bare = _GLUED.sub("", word) if not word[0].isdigit() else word
    return unicodedata.normalize("NFC", bare or word).replace("'", "").replace("’", "").lower()[:_MAX_LENGTH]


@loaded_once
def analyser() -> PolishAnalyser:
    """The process-wide analyser, with its warm caches."""
    return PolishAnalyser()
