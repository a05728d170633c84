"""Dictionary forms of Polish words, and of the English ones that stand between them.

Order of authorities: simplemma's Polish dictionary (measured best on Polish question sets), Morfeusz 2 with SGJP for
what it lacks, simplemma's English dictionary, and for words in none of them (`endpointów`) a light stemmer. Where the
first takes a form for a rare word ("pliki" for one of "plika"), `rarer.txt` has the likelier one. Then nouns made of
verbs and participles become their verb, so that `rozliczenie`, `rozliczony` and `rozliczyć` find each other.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from simplemma.strategies import DictionaryLookupStrategy

from ingestion.text.memory import Memory
from ingestion.text.morphology.dictionaries import DICTIONARIES
from ingestion.text.morphology.sgjp import Sgjp

_VOWEL = re.compile(r"[aeiouyąęó]")
# Endings of nouns in -owi, -ami ..., longest first; a stem keeps at least three letters and a vowel.
_ENDINGS = (
    "owego",
    "owemu",
    "owych",
    "owymi",
    "ami",
    "ach",
    "owi",
    "ów",
    "om",
    "em",
    "ie",
    "es",
    "ą",
    "ę",
    "a",
    "y",
    "i",
    "e",
    "u",
    "s",
)
# "zgubiłem", "zgubiłabyś", "zgubiliśmy", which Morfeusz takes for two words: the first of them.
_PAST = re.compile(r"(\w+(?:ł[aoy]?|li))(?:by)?(?:e?[mś]|śmy|ście)?")
# Forms that every authority takes for another word: data for what is given, belongings for what one has, a department
# for a cannon, cards for phones.
_OWN = {
    **dict.fromkeys(("dane", "danych", "danymi"), "dane"),
    **dict.fromkeys(("mienie", "mienia", "mieniu", "mieniem"), "mienie"),
    "działem": "dział",
    "sim": "sim",
}
_MAX_LENGTH = 100
_CACHED = 200_000  # word forms
_LOOKUP = DictionaryLookupStrategy(DICTIONARIES)


class Lemmatiser:
    """One lemma a word form, deterministic, cached. Thread-safe.

    simplemma's dictionaries stay compressed: 60 MB instead of 400, and the cache hides the difference.
    """

    def __init__(self) -> None:
        self._dictionary = Sgjp()
        self.known = Memory(self._lemma, size=_CACHED)
        """Lemmas by form; it may learn those that it found before and somebody kept: dictionaries are slow."""
        self._participle_verb = lru_cache(maxsize=_CACHED // 4)(self._verb_of)
        self._likelier = _likelier_words()

    def lemma(self, form: str) -> str:
        """The lemma of `form`, which is lower case; the form itself if it has digits."""
        return self.known[form]

    def _lemma(self, form: str) -> str:
        if not form.isalpha() or len(form) > _MAX_LENGTH:
            return form
        if own := _OWN.get(form):
            return own
        for authority in (self._polish, self._sgjp, self._english):
            if lemma := authority(form):
                return self._participle_verb(self._likelier_than(self._family_head(form, lemma), form))
        return stem(form)

    def _family_head(self, form: str, lemma: str) -> str:
        """The verb of a verbal noun, `polecić` rather than `polecieć` of `polecenie`; the noun where simplemma took
        `żółwie` for a form of the adjective `żółwi`, but not one that the adjective is itself, as in `nowa`.
        """
        analyses = self._analyses(form)
        if verbs := [base for base, tag in analyses if tag.startswith("ger")]:
            return min(verbs, key=lambda verb: verb.endswith("eć"))
        nouns = [base for base, tag in analyses if tag.startswith("subst")]
        if nouns and lemma not in {base for base, tag in analyses if not tag.startswith("adj")}:
            noun = min(nouns, key=len)
            return lemma if self._is_form_of_adjective(noun, lemma) else noun
        return lemma

    def _is_form_of_adjective(self, form: str, adjective: str) -> bool:
        return any(base == adjective and tag.startswith("adj") for base, tag in self._analyses(form))

    def _likelier_than(self, lemma: str, form: str) -> str:
        """The likelier word that the form may be of, else `lemma`."""
        if not (others := self._likelier.get(lemma)):
            return lemma
        bases = {base for base, _ in self._analyses(form)}
        return next((other for other in others if other in bases), lemma)

    def _verb_of(self, lemma: str) -> str:
        """The verb of a participle, else `lemma`."""
        tags = self._analyses(lemma)
        return next((base for base, tag in tags if tag.startswith(("ppas", "pact"))), lemma)

    def in_dictionary(self, form: str) -> bool:
        """Whether SGJP has `form`: asked of hundreds of guesses, and ten times as quick as simplemma's dictionary."""
        return bool(self._analyses(form)) or self._is_past_of_a_person(form)

    def _is_past_of_a_person(self, form: str) -> bool:
        past = _PAST.fullmatch(form)
        return past is not None and any(tag.startswith("praet") for _, tag in self._analyses(past[1]))

    def knows(self, form: str) -> bool:
        """Whether `form`, lower case, is a word of the Polish or the English dictionary."""
        return bool(self._polish(form) or self._sgjp(form) or self._english(form))

    def _polish(self, form: str) -> str:
        return _in_simplemma(form, "pl") or _in_simplemma(form.capitalize(), "pl")

    def _sgjp(self, form: str) -> str:
        return next((base for base, _ in self._analyses(form)), "")

    def _analyses(self, form: str) -> list[tuple[str, str]]:
        """(base form, tag) of every reading in SGJP; none where Morfeusz splits the word or does not know it."""
        return [(base.lower(), tag) for base, tag, _ in self._dictionary.readings(form)]

    def _english(self, form: str) -> str:
        return _in_simplemma(form, "en")


def _likelier_words() -> Mapping[str, Sequence[str]]:
    lines = Path(__file__).with_name("rarer.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split(": ") for line in lines if not line.startswith("#"))
    return {rare: likelier.split(", ") for rare, likelier in pairs}


def _in_simplemma(form: str, language: str) -> str:
    """The lemma, lower case; empty where the dictionary lacks the form."""
    lemma = _LOOKUP.get_lemma(unicodedata.normalize("NFC", form), language)
    return "" if lemma is None else lemma.lower()


def stem(form: str) -> str:
    """`form` without one inflectional ending, where enough of a word remains."""
    for ending in _ENDINGS:
        rest = form[: -len(ending)]
        if form.endswith(ending) and len(rest) >= 3 and _VOWEL.search(rest):
            return rest
    return form
