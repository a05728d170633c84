"""A Polish question as words that know what they are."""

import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from ingestion.text.analyser import analyser
from ingestion.text.morphology.grammar import Reading, readings
from ingestion.text.morphology.stop_words import FOLDED_STOP_WORDS, STOP_WORDS
from rag.understanding.follow_up.lexicon import ASKING, POINTING, PRONOUNS, RELATIONAL, SUCH, THERE, UNSPECIFIC

Kind = Literal["noun", "adjective", "numeral", "preposition", "verb", "asking", "pointing", "adverb", "sign", "other"]

_MOST_WORDS = 60  # a word that no dictionary has costs milliseconds
_WORD = re.compile(r"[^\W_]+(?:[-–'’./@_][^\W_]+)*|[^\w\s]")
_NOUNS = frozenset({"subst", "ger", "depr"})
_ADJECTIVES = frozenset({"adj", "ppas", "pact", "adja"})
_VERBS = frozenset({"fin", "praet", "bedzie", "imps", "impt", "inf", "pred", "winien"})
_CLOSED = frozenset({"conj", "comp", "part", "adv", "interj", "pcon", "pant", "ppron12", "siebie"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """`form` is lower case; `readings` are those that fit `kind`; none for a name that no dictionary has."""

    text: str
    form: str
    start: int
    end: int
    kind: Kind
    readings: tuple[Reading, ...] = ()

    @property
    def is_name(self) -> bool:
        return self.kind == "noun" and (not self.readings or (self.start > 0 and self.text[0].isupper()))

    @property
    def lemmas(self) -> frozenset[str]:
        return frozenset(reading.lemma.lower() for reading in self.readings)

    @property
    def has_topic(self) -> bool:
        """Whether the word says what the question is about."""
        if self.kind == "noun":
            return self.is_name or not self.lemmas & (RELATIONAL | UNSPECIFIC)
        if self.kind == "adverb":
            return self.form not in UNSPECIFIC
        return self.kind == "adjective" and not self.lemmas & UNSPECIFIC

    def may_be(self, case: str) -> bool:
        return not self.readings or any(case in reading.cases for reading in self.readings)


def count_words(text: str) -> int:
    """As many as `read_words` would read of a text of any length, at no cost."""
    return sum(1 for _ in _WORD.finditer(text))


def read_words(text: str) -> list[Word]:
    """The words and punctuation marks of `text`, in order; of a very long one the first."""
    words = [_word(match) for match in islice(_WORD.finditer(text), _MOST_WORDS)]
    return [_beside(word, words[max(n - 1, 0) : n] + words[n + 1 : n + 2]) for n, word in enumerate(words)]


def _beside(word: Word, neighbours: list[Word]) -> Word:
    """The adjective where a noun of the same lemma agrees with the one beside it: "stypendium socjalne"."""
    if word.kind != "noun":
        return word
    nouns = [own for other in neighbours if other.kind == "noun" for own in other.readings]
    adjectives = [own for own in readings(word.form) if own.part in _ADJECTIVES]
    agreeing = tuple(own for own in adjectives if any(own.agrees(noun) for noun in nouns))
    ordinals = {f"{own.lemma[:-1]}a" for own in agreeing if own.lemma.endswith("sty")}  # trzynasta pensja
    same = word.lemmas & ({own.lemma for own in agreeing} | ordinals)
    return replace(word, kind="adjective", readings=agreeing) if same else word


def _word(match: re.Match[str]) -> Word:
    text = match.group()
    kind, fitting = _read(text)
    return Word(text=text, form=text.lower(), start=match.start(), end=match.end(), kind=kind, readings=fitting)


def _read(text: str) -> tuple[Kind, tuple[Reading, ...]]:
    form = text.lower()
    if not text[0].isalnum():
        return "sign", ()
    if form in ASKING:
        return "asking", readings(form)
    if form in PRONOUNS or form in POINTING or form in SUCH or form in THERE:
        return "pointing", ()
    if text[0].isdigit():
        return "numeral", ()
    if any(map(str.isdigit, text)):
        return "noun", ()
    return _by_dictionary(text, form)


def _by_dictionary(text: str, form: str) -> tuple[Kind, tuple[Reading, ...]]:
    found = readings(form) or readings(text) or readings(form.capitalize())
    function_word = form in STOP_WORDS or (form in FOLDED_STOP_WORDS and not found)
    parts = {reading.part for reading in found}
    if not found:
        return ("other", ()) if function_word else ("noun", ())
    if function_word and parts & _VERBS:
        return "verb", _of(found, _VERBS)
    if "prep" in parts:
        return "preposition", _of(found, {"prep"})
    if "adv" in parts and not function_word and form.endswith(("nie", "owo")):
        return "adverb", ()
    if parts & _CLOSED or (function_word and not parts & _VERBS):
        return ("verb", _of(found, _VERBS)) if "pred" in parts else ("other", ())
    if "num" in parts:
        return "numeral", _of(found, {"num"})
    return _open_class(form, found)


def _open_class(form: str, found: tuple[Reading, ...]) -> tuple[Kind, tuple[Reading, ...]]:
    """Where several parts of speech fit, that of the lemma under which the index has the word."""
    lemma = analyser().lemmatiser.lemma(form)
    likely = tuple(reading for reading in found if reading.lemma.lower() == lemma) or found
    kinds: tuple[tuple[Kind, frozenset[str]], ...] = (("noun", _NOUNS), ("adjective", _ADJECTIVES), ("verb", _VERBS))
    if all(own.part == "ppas" for own in likely) and (nouns := _of(found, _NOUNS)):
        return "noun", nouns  # "dane", which the index has as a form of "dać"
    for kind, parts in kinds:
        if fitting := _of(likely, parts):
            return kind, _of(found, parts) if all(own.part == "ger" for own in fitting) else fitting
    return "other", ()


def _of(found: tuple[Reading, ...], parts: frozenset[str] | set[str]) -> tuple[Reading, ...]:
    return tuple(reading for reading in found if reading.part in parts)
