"""The noun phrases of a Polish question."""

from collections.abc import Sequence
from dataclasses import dataclass

from ingestion.text.morphology.grammar import Reading, in_nominative
from rag.understanding.follow_up.lexicon import LASTING, NOT_PART_OF_A_TOPIC, TIMES
from rag.understanding.follow_up.tagged_words import Word

_NOMINAL = frozenset({"noun", "adjective", "numeral"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """Words [first, last) of a question; `head`: its noun, or an adjective in place of one. `preposition` "": none."""

    words: tuple[Word, ...]
    first: int
    last: int
    head: int
    preposition: str = ""

    @property
    def start(self) -> int:
        """Its first character, the preposition included."""
        return self.words[self.first - bool(self.preposition)].start

    @property
    def end(self) -> int:
        return self.words[self.last - 1].end

    @property
    def noun(self) -> Word:
        return self.words[self.head]

    @property
    def inside(self) -> tuple[Word, ...]:
        return self.words[self.first : self.last]

    @property
    def is_time(self) -> bool:
        return self.is_lasting or any(word.kind == "numeral" or word.lemmas & TIMES for word in self.inside)

    @property
    def is_lasting(self) -> bool:
        """Whether an adjective says how long: "z dziesięcioletnim stażem"."""
        return any(lemma.endswith(LASTING) for word in self.inside for lemma in word.lemmas)

    @property
    def has_topic(self) -> bool:
        return any(word.has_topic for word in self.inside)

    @property
    def has_name(self) -> bool:
        return any(word.is_name for word in self.inside)

    @property
    def has_adjectives(self) -> bool:
        """Whether adjectives tell this noun from others of its kind: "opłata skarbowa"."""
        beside = self.words[self.first : min(self.head + 2, self.last)]
        return any(word.kind == "adjective" and word.has_topic for word in beside)

    def may_be(self, case: str) -> bool:
        return self.noun.may_be(case)

    @property
    def is_person(self) -> bool:
        return any("m1" in reading.genders for reading in self.noun.readings)


def noun_phrases(words: Sequence[Word]) -> list[Phrase]:
    """In order, without overlaps: an adjective or a numeral, the noun, then what depends on it in the genitive."""
    phrases: list[Phrase] = []
    place = 0
    while place < len(words):
        if words[place].kind not in _NOMINAL:
            place += 1
            continue
        phrase = _phrase_at(tuple(words), place)
        phrases.append(phrase)
        place = phrase.last
    return phrases


def _phrase_at(words: tuple[Word, ...], first: int) -> Phrase:
    head = first
    while head + 1 < len(words) and words[head].kind != "noun" and _leads(words[head], words[head + 1]):
        head += 1
    last = head + 1
    while last < len(words) and _continues(words[last - 1], words[last], words[head]):
        last += 1
    before = words[first - 1] if first else None
    if before and before.kind == "pointing" and first > 1:
        before = words[first - 2]
    preposition = before.form if before and before.kind == "preposition" and before is words[first - 1] else ""
    return Phrase(words=words, first=first, last=last, head=head, preposition=preposition)


def _leads(word: Word, following: Word) -> bool:
    if word.kind == "numeral":
        return following.kind in _NOMINAL
    return following.kind in ("noun", "adjective") and _agree(word, following)


def _continues(previous: Word, word: Word, head: Word) -> bool:
    if word.kind == "numeral":
        return previous.kind == "noun" and word.text[0].isdigit()
    if word.kind == "adjective":
        return _agree(word, previous) or _agree(word, head) or word.may_be("gen")
    return word.kind == "noun" and (word.may_be("gen") or word.is_name)


def _agree(left: Word, right: Word) -> bool:
    pairs = [(mine, other) for mine in left.readings for other in right.readings]
    return not pairs or any(mine.agrees(other) for mine, other in pairs)


def with_attached(phrase: Phrase, phrases: Sequence[Phrase]) -> int:
    """The place after `phrase` with what a preposition attaches to it: "wniosek o urlop", "praca w nocy"."""
    last = phrase.last
    for other in phrases:
        adjacent = other.preposition and other.first - 1 == last
        if adjacent and other.preposition not in NOT_PART_OF_A_TOPIC and other.has_topic and not other.is_time:
            last = other.last
    return last


def in_words(phrase: Phrase, text: str, *, first: int, last: int) -> str:
    """Words [first, last) of `text`, the noun that comes first and its adjectives in the nominative."""
    words = phrase.words
    head = next((n for n in range(first, min(last, phrase.last)) if words[n].kind == "noun"), first)
    reading = likeliest(phrase, head)
    if reading is None or "nom" in reading.cases:
        return text[words[first].start : words[last - 1].end]
    changed = {head: in_nominative(words[head].form, reading)}
    for place in [*range(first, head), *range(head + 1, min(last, phrase.last))]:
        agreeing = next((own for own in words[place].readings if own.agrees(reading)), None)
        if words[place].kind != "adjective" or agreeing is None:
            break
        changed[place] = in_nominative(words[place].form, agreeing)
    return _rebuilt(words, text, changed, first=first, last=last)


def _rebuilt(words: Sequence[Word], text: str, changed: dict[int, str], *, first: int, last: int) -> str:
    pieces = []
    for place in range(first, last):
        gap = text[words[place - 1].end : words[place].start] if place > first else ""
        pieces.append(gap + changed.get(place, words[place].text))
    return "".join(pieces)


def _counted(phrase: Phrase) -> bool:
    """Whether "ile" or a noun before it puts the phrase into the genitive."""
    before = phrase.words[phrase.first - 1] if phrase.first else None
    return before is not None and (before.form in ("ile", "ilu") or before.kind == "noun")


def likeliest(phrase: Phrase, place: int) -> Reading | None:
    """The reading of the noun at `place` by where it stands; the common noun where SGJP has a gerund too.

    None for a name: it stays as it is written.
    """
    word = phrase.words[place]
    if word.is_name:
        return None
    governed = bool(phrase.preposition) or place > phrase.head or _counted(phrase)
    ranked = sorted(word.readings, key=lambda reading: (reading.part == "ger", ("nom" in reading.cases) == governed))
    fitting = [reading for reading in ranked if governed or {"nom", "acc"} & reading.cases]
    return next(iter(fitting or ranked), None)
