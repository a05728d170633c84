"""What a Polish question is about: the noun phrase that a pronoun in the next question means."""

from collections.abc import Sequence
from dataclasses import replace

from rag.understanding.follow_up.detection import Lean, fits
from rag.understanding.follow_up.lexicon import THEN
from rag.understanding.follow_up.phrases import Phrase, in_words, likeliest, noun_phrases, with_attached
from rag.understanding.follow_up.tagged_words import read_words

SEPARATOR = ": "
"""Between the topic and the question in what `with_topic` makes."""


def with_topic(lean: Lean, before: str) -> str:
    """ "Wniosek o urlop: kto go podpisuje?"; the whole of `before` in place of a topic that it does not have."""
    says_nothing = not any(word.kind in ("noun", "verb", "adjective") for word in read_words(lean.core))
    topic = "" if says_nothing or lean.word.lower() in THEN else _topic(before, lean)
    question = f"{lean.core.rstrip(' ?')}?"
    if topic:
        return f"{_capital(topic)}{SEPARATOR}{_small(question)}"
    return joined(before, question)


def joined(before: str, question: str) -> str:
    """ "Czy mogę pracować zdalnie z zagranicy – kto to zatwierdza?" """
    return f"{before.rstrip(' ?!.')} – {_small(question)}"


def _topic(before: str, lean: Lean) -> str:
    """The noun phrase of `before` that suits best, in the nominative, with the names beside it; "" where none does."""
    named, _, asked = before.partition(SEPARATOR)
    if asked and (_suits(named, lean) or not _best(asked, lean)):
        return named
    text = asked or before
    best = _best(text, lean)
    if best is None:
        return ""
    phrases = noun_phrases(best.words)
    last = with_attached(best, phrases)
    named_elsewhere = [other for other in phrases if other.first >= last and other.preposition and other.has_name]
    beside = [text[other.start : other.end] for other in named_elsewhere]
    return " ".join([in_words(best, text, first=_first_topical(best), last=last), *beside])


def _suits(topic: str, lean: Lean) -> bool:
    phrases = noun_phrases(read_words(topic))
    return not phrases or _agrees(phrases[0], lean)


def _best(text: str, lean: Lean) -> Phrase | None:
    """What is asked for or of, rather than for whom or where; of equals the first."""
    phrases = [
        phrase
        for phrase in noun_phrases(read_words(text))
        if phrase.noun.kind == "noun" and phrase.has_topic and _agrees(phrase, lean)
    ]
    nearest = min(
        phrases, key=lambda phrase: (not _agrees(phrase, lean, likely=True), _remoteness(phrase)), default=None
    )
    return nearest if _speaks_of_things(phrases, lean) else None


def _speaks_of_things(phrases: Sequence[Phrase], lean: Lean) -> bool:
    """ "To" may mean all that was said, where nothing but places, times and persons is named."""
    return bool(lean.agreement) or any(_remoteness(phrase) < _ASIDE for phrase in phrases)


_ASIDE = 4


def _remoteness(phrase: Phrase) -> int:
    person = phrase.is_person and not phrase.has_name
    aside = bool(phrase.preposition) or not (phrase.may_be("nom") or phrase.may_be("acc") or phrase.may_be("gen"))
    return _ASIDE * aside + (_ASIDE + 1) * person


def _agrees(phrase: Phrase, lean: Lean, *, likely: bool = False) -> bool:
    """Whether the pronoun fits the noun in any reading, or in the `likely` one."""
    place = _first_topical_noun(phrase)
    reading = likeliest(phrase, place) if likely else None
    noun = replace(phrase.words[place], readings=(reading,)) if reading else phrase.words[place]
    return not lean.agreement or fits(noun, lean.agreement)


def _first_topical(phrase: Phrase) -> int:
    """Where the phrase begins to say what it is about: "urlopu" in "dni urlopu wypoczynkowego"."""
    if phrase.noun.has_topic or not phrase.noun.readings or phrase.has_adjectives:
        return phrase.first
    return next((n for n in range(phrase.head, phrase.last) if phrase.words[n].has_topic), phrase.first)


def _first_topical_noun(phrase: Phrase) -> int:
    nouns = [n for n in range(_first_topical(phrase), phrase.last) if phrase.words[n].kind == "noun"]
    return nouns[0] if nouns else phrase.head


def _capital(text: str) -> str:
    return text if text[1:2].isupper() else text[:1].upper() + text[1:]  # ePUAP


def _small(text: str) -> str:
    """Without the capital of a sentence; an abbreviation keeps its own."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or len(text) < 2 or text[1:2] == " " else text
