"""Stand-ins for personal data: what a language model reads instead of them, and what its words become again."""

import re
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from string import ascii_lowercase
from typing import NamedTuple

from ingestion.text.names.base_names import base_name
from ingestion.text.names.person_words import person_word
from ingestion.text.personal_data.detection import find_personal_data
from ingestion.text.personal_data.pattern import Kind

_WORDS: dict[Kind, str] = {
    "person": "osoba",
    "address": "adres",
    "phone": "telefon",
    "email": "e-mail",
    "pesel": "PESEL",
    "nip": "NIP",
    "regon": "REGON",
    "iban": "konto",
    "card": "karta",
    "identity_card": "dowód",
    "passport": "paszport",
    "birth_date": "data urodzenia",
}
# A model may inflect the word, capitalise it or space it otherwise: "[Osoby 1]".
_STAND_IN = re.compile(
    r"\[\s*(osob|adres|telefon|e-?mail|pesel|nip|regon|kont|kart|dow[oó]d|paszport|dat)[^\W\d]*(?:\s+urodzenia)?"
    r"\s+(\d+[b-z?]?)\s*\]",
    re.IGNORECASE,
)
_STEMS = {word.lower().replace("-", "")[:3]: word for word in _WORDS.values()}
_CAPITALISED = re.compile(r"\b[A-ZĄĆĘŁŃÓŚŹŻ][a-ząćęłńóśźż]{2,}\b")
_SEPARATORS = re.compile(r"[\W_]+")
_LONGEST = 40
"""Characters: a bracket that is longer is no stand-in."""


class _FoundDatum(NamedTuple):
    start: int
    end: int
    kind: Kind
    written: str


class Pseudonyms:
    """The stand-ins of one question: equal data get equal ones, names in any case, in all texts. Thread-safe.

    A surname alone is taken for the one person who bears it; where several do, as in "[osoba 1]" and "[osoba 1b]", it
    is "[osoba 1?]".
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[Kind] = Counter()
        self._stand_ins: dict[tuple[Kind, str], str] = {}
        self._values: dict[str, str] = {}
        self._bearers: dict[str, list[str]] = {}  # full names by surname

    def mask(self, texts: Sequence[str]) -> list[str]:
        """The texts, each with its personal data replaced. They are read together: who is called by the full name in
        one may be called by the surname in another.
        """
        with self._lock:
            found = [[_FoundDatum(*span, text[span[0] : span[1]]) for span in _spans(text)] for text in texts]
            for one in sorted((one for each in found for one in each), key=lambda one: " " not in one.written):
                self._note(one.kind, one.written)
            return [self._replaced(text, spans) for text, spans in zip(texts, found, strict=True)]

    def restore(self, text: str) -> str:
        """The text with the data in the place of their stand-ins, names in the nominative; unknown ones stay."""
        return _STAND_IN.sub(lambda match: self._values.get(_canonical(match), match.group()), text)

    def _replaced(self, text: str, found: Sequence[_FoundDatum]) -> str:
        pieces, place = [], 0
        for one in sorted([*found, *self._said_again(text, found)]):
            if one.start >= place:
                pieces += [text[place : one.start], self._stand_in(one.kind, one.written)]
                place = one.end
        return "".join([*pieces, text[place:]])

    def _said_again(self, text: str, found: Sequence[_FoundDatum]) -> Iterator[_FoundDatum]:
        """What no rule finds here and one found elsewhere: surnames alone, numbers without the word before them."""
        taken = [(one.start, one.end) for one in found]
        for match in _CAPITALISED.finditer(text) if self._bearers else ():
            if not _overlaps(match.span(), taken) and base_name(match.group()).casefold() in self._bearers:
                yield _FoundDatum(*match.span(), "person", match.group())
        for (kind, _), stand_in in list(self._stand_ins.items()):
            if kind not in ("person", "birth_date"):
                for match in re.finditer(re.escape(self._values[stand_in]), text):
                    if not _overlaps(match.span(), taken):
                        yield _FoundDatum(*match.span(), kind, match.group())

    def _note(self, kind: Kind, written: str) -> None:
        key = _key(kind, written)
        if kind == "person":
            self._note_person(key, written)
        elif (kind, key) not in self._stand_ins:
            self._keep(kind, key, written)

    def _note_person(self, key: str, written: str) -> None:
        surname = key.rpartition(" ")[2]
        bearers = self._bearers.setdefault(surname, [])
        if surname == key or key in bearers:
            if not bearers and ("person", surname) not in self._stand_ins:
                self._keep("person", surname, base_name(written))
            return
        bearers.append(key)
        if len(bearers) == 1:  # whoever was called by the surname alone until now
            known = self._stand_ins.get(("person", surname)) or self._keep("person", surname, "")
            self._stand_ins["person", key], self._values[known] = known, base_name(written)
            return
        if len(bearers) > len(ascii_lowercase):
            self._keep("person", key, base_name(written))
            return
        first = self._stand_ins["person", surname].rstrip("]")
        self._set("person", key, f"{first}{ascii_lowercase[len(bearers) - 1]}]", base_name(written))

    def _keep(self, kind: Kind, key: str, value: str) -> str:
        self._counts[kind] += 1
        return self._set(kind, key, f"[{_WORDS[kind]} {self._counts[kind]}]", value)

    def _set(self, kind: Kind, key: str, stand_in: str, value: str) -> str:
        self._stand_ins[kind, key] = stand_in
        self._values[stand_in] = value
        return stand_in

    def _stand_in(self, kind: Kind, written: str) -> str:
        key = _key(kind, written)
        stand_in = self._stand_ins[kind, key]
        if kind == "person" and len(self._bearers.get(key, ())) > 1:
            stand_in = f"{stand_in.rstrip(']')}?]"
            self._values[stand_in] = base_name(written)
        return stand_in


class Restoring:
    """Restores a text while it arrives: a bracket waits for its end."""

    def __init__(self, pseudonyms: Pseudonyms) -> None:
        self._pseudonyms = pseudonyms
        self._held = ""

    def feed(self, piece: str) -> str:
        text = self._held + piece
        begun = text.rfind("[")
        if begun < 0 or "]" in text[begun:] or len(text) - begun > _LONGEST:
            begun = len(text)
        self._held = text[begun:]
        return self._pseudonyms.restore(text[:begun])

    def finish(self) -> str:
        held, self._held = self._held, ""
        return self._pseudonyms.restore(held)


def _spans(text: str) -> Iterator[tuple[int, int, Kind]]:
    return ((one.start, one.end, one.kind) for one in find_personal_data(text))


def _key(kind: Kind, written: str) -> str:
    if kind == "person":
        words = base_name(written).casefold().split()
        return " ".join(sorted(words, key=lambda word: not person_word(word.capitalize()).is_given))  # "Nowak Anna"
    return _SEPARATORS.sub("" if kind != "address" else " ", written).casefold()


def _canonical(match: re.Match[str]) -> str:
    return f"[{_STEMS[match[1].lower().replace('-', '')[:3]]} {match[2].lower()}]"


def _overlaps(span: tuple[int, int], taken: Sequence[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in taken)
