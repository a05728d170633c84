"""What one word of a name is: its key over inflection, and what SGJP says of it."""

import re
from collections.abc import Sequence
from functools import lru_cache

from ingestion.text.analyser import analyser, normal_form
from ingestion.text.morphology.sgjp import Sgjp
from ingestion.text.morphology.stop_words import STOP_WORDS

WORD = re.compile(r"[^\W_]+(?:[-–'’][^\W_]+)*")
_PLACES_AND_BODIES = frozenset({"nazwa_geograficzna", "nazwa_instytucji", "nazwa_organizacji"})
_ACTING = frozenset({"nazwisko", "nazwa_firmy", "nazwa_instytucji", "nazwa_organizacji"})
_PROPER = _PLACES_AND_BODIES | {"imię"}
_COMMON = "nazwa_pospolita"
_LONGEST_IN_CAPITALS = 8  # letters of a name that SGJP has in capitals alone, such as "NOSPR"
_TITLES = frozenset({"pan", "pani", "państwo"})
# Parts of speech that begin a sentence before a name, not a name.
_OTHER = ("adv", "conj", "comp", "prep", "part", "qub", "fin", "praet", "inf", "imps", "impt", "pcon", "pant", "pred")


class NameWords:
    """Reads words as parts of names. Not thread-safe in itself; a cache and CPython's lock make single calls so."""

    def __init__(self) -> None:
        self.readings = lru_cache(maxsize=20_000)(Sgjp().readings)  # asked eight times of a word that begins a name
        self.key = lru_cache(maxsize=100_000)(self._key)
        self.key_of_name = lru_cache(maxsize=100_000)(self._key_of_name)
        self.is_common = lru_cache(maxsize=20_000)(self._is_common)
        self.is_before_names = lru_cache(maxsize=20_000)(self._is_before_names)
        self.is_given_name = lru_cache(maxsize=20_000)(self._is_given_name)
        self.is_proper = lru_cache(maxsize=20_000)(self._is_proper)
        self.may_begin_a_name = lru_cache(maxsize=20_000)(self._may_begin_a_name)
        self.is_noun = lru_cache(maxsize=20_000)(self._is_noun)
        self.is_adjective = lru_cache(maxsize=20_000)(self._is_adjective)
        self.is_surname_or_firm = lru_cache(maxsize=20_000)(self._is_surname_or_firm)
        self.is_place = lru_cache(maxsize=20_000)(self._is_place)
        self.is_person = lru_cache(maxsize=20_000)(self._is_person)

    def _key(self, word: str) -> str:
        """The lemma; of a name that the lemmatiser takes for another word ("Janowi", "Poznaniu"), the name."""
        form = normal_form(word)
        lemma = analyser().lemmatiser.lemma(form)
        readings = self.readings(form.capitalize())
        if len(form) <= _LONGEST_IN_CAPITALS:
            readings = [*readings, *self.readings(form.upper())]
        proper = {base.lower() for base, _, labels in readings if _PROPER & set(labels)}
        if not proper or any(lemma == base.lower() for base, _, labels in readings if {*labels} - {_COMMON}):
            return lemma
        return min(proper, key=lambda name: (len(name), name))

    def _key_of_name(self, name: str) -> str:
        first, *others = WORD.findall(name) or [""]
        if not others:
            return self.key(first) if first else ""
        words = [first, *others]
        within = (self._key_within(word, words[:place]) for place, word in enumerate(others, start=1))
        return " ".join([self._key_before(first, others[-1]), *within])

    def _key_before(self, first: str, last: str) -> str:
        """ "Adriana" is Adrian's before "Kowalskiego", and a woman before "Kowalska" and "Nowak"."""
        if not self.is_given_name(first) or self._may_be_nominative(last):
            return self.key(first)
        given = [
            (base, tag) for base, tag, labels in self.readings(normal_form(first).capitalize()) if "imię" in labels
        ]
        whose = {base.lower() for base, tag in given if ":nom" not in tag}
        return min(whose) if whose and any(":nom" in tag for _, tag in given) else self.key(first)

    def _may_be_nominative(self, word: str) -> bool:
        tags = [tag for _, tag, _ in self.readings(normal_form(word).capitalize())]
        return any(":sg:nom" in tag for tag in tags) if tags else self.key(word) == normal_form(word)

    def _key_within(self, word: str, before: Sequence[str]) -> str:
        """ "Polska" is a country alone and an adjective after its noun, where "Polskiej" can be nothing else."""
        key = self.key(word)
        if key != normal_form(word):
            return key
        adjectives = [base for base, tag, _ in self.readings(key) if tag.startswith("adj:") and tag.endswith("pos")]
        return adjectives[0].lower() if adjectives and not all(map(self.is_adjective, before)) else key

    def _is_given_name(self, word: str) -> bool:
        return any("imię" in labels for _, _, labels in self.readings(normal_form(word).capitalize()))

    def _is_proper(self, word: str) -> bool:
        """Whether the word, however it is capitalised, may name a place or a body, or is in no dictionary."""
        readings = self.readings(normal_form(word).capitalize())
        named = {base.lower() for base, _, labels in readings if _PLACES_AND_BODIES & set(labels)}
        return self.key(word) in named or not analyser().lemmatiser.knows(normal_form(word))

    def _may_begin_a_name(self, word: str) -> bool:
        tags = [tag for _, tag, _ in self.readings(normal_form(word))]
        return self._is_given_name(word) or not any(tag.startswith(_OTHER) for tag in tags)

    def _is_before_names(self, word: str) -> bool:
        """A function word or a title, which only a capital makes part of the name after it."""
        return normal_form(word) in STOP_WORDS or self.key(word) in _TITLES

    def _is_noun(self, word: str) -> bool:
        """Whether the word is a noun and can be no adjective."""
        tags = [tag for _, tag, _ in self.readings(normal_form(word))]
        return any(tag.startswith(("subst", "ger")) for tag in tags) and not self.is_adjective(word)

    def _is_adjective(self, word: str) -> bool:
        """Whether the word can be an adjective."""
        return any(tag.startswith("adj") for _, tag, _ in self.readings(normal_form(word)))

    def _is_place(self, name: str) -> bool:
        """Whether the first word of `name` may be one of a town, a country, a river."""
        first = WORD.search(name)
        readings = self.readings(normal_form(first.group()).capitalize()) if first else []
        return any("nazwa_geograficzna" in labels for _, _, labels in readings)

    def _is_surname_or_firm(self, word: str) -> bool:
        return any(_ACTING & set(labels) for _, _, labels in self.readings(normal_form(word).capitalize()))

    def _is_person(self, word: str) -> bool:
        """Whether the word is a noun for a man, as posts are: "kierownik", "właściciela"; no thing is called so."""
        nouns = [tag for _, tag, _ in self.readings(normal_form(word)) if tag.startswith("subst")]
        genders = {tag.split(":")[3] for tag in nouns}
        return any(one.startswith("m1") for one in genders) and not any(one.startswith(("m3", "n")) for one in genders)

    def _is_common(self, word: str) -> bool:
        """Whether SGJP has the word as a common noun."""
        return any(_COMMON in labels for _, _, labels in self.readings(normal_form(word)))


@lru_cache(maxsize=1)
def name_words() -> NameWords:
    """The process-wide reader, with its warm caches."""
    return NameWords()


def name_key(name: str) -> str:
    """The same for every inflection and capitalisation of `name`: its words' keys, joined by spaces."""
    return name_words().key_of_name(name)
