"""A Polish question that names only what differs from the last one: "a po roku?", "a jeśli umowa jest na czas…?"."""

import re
from collections.abc import Sequence
from itertools import pairwise

from rag.understanding.follow_up.phrases import Phrase, in_words, noun_phrases
from rag.understanding.follow_up.tagged_words import Word, read_words
from rag.understanding.follow_up.topic import SEPARATOR

_CONDITION = re.compile(r",? (?:jeśli|jeżeli|gdyby|gdy) .*")
_VARIANTS = {"ze": "z", "we": "w", "ode": "od"}


def with_condition(condition: str, before: str) -> str:
    """`before` under `condition`, in place of the one it had."""
    return f"{_CONDITION.sub('', _bare(before))}, {condition.rstrip(' ?')}?"


def with_fragment(fragment: str, before: str) -> str:
    """`before` with `fragment` in the place of the phrase that it is an alternative to, else beside it."""
    fragment, before = fragment.rstrip(" ?"), _bare(before)
    new = noun_phrases(read_words(fragment))
    old = noun_phrases(read_words(before))
    if not new:
        return f"{before} {fragment}?"
    if not new[0].preposition and _is_instrumental(
        new[0]
    ):  # "a co z umowami": with "z" gone, they are what is asked of
        nominative = in_words(new[0], fragment, first=new[0].first, last=new[0].last)
        fragment = nominative + fragment[new[0].end :]
        new = noun_phrases(read_words(fragment))
    if replaced := _replaced(fragment, new[0], before, old):
        return f"{replaced}?"
    return f"{before} {fragment}?" if new[0].preposition else _in_front(fragment, before)


def _bare(text: str) -> str:
    return text.rstrip(" ?!.")


def _in_front(fragment: str, before: str) -> str:
    """As the topic: "Nauczyciele: ile dni urlopu przysługuje?" """
    asked = before.partition(SEPARATOR)[2] or before[:1].lower() + before[1:]
    return f"{fragment[:1].upper()}{fragment[1:]}{SEPARATOR}{asked}?"


def _replaced(fragment: str, new: Phrase, before: str, old: Sequence[Phrase]) -> str:
    """ "" where no phrase of the last question has the form of the new one."""
    if new.noun.kind == "adjective" and not new.preposition:
        if place := _of_another_kind(new, old):
            return before[: place.start] + fragment + before[place.end :]
        described = _described(new.noun, old)
        return f"{before[: described.end]} {fragment}{before[described.end :]}" if described else ""
    if not (new.preposition or new.is_time) and (same := _same_noun(new, old)):
        return before[: same.start] + _in_its_case(same.noun, new, fragment) + before[same.end :]
    if alike := [phrase for phrase in old if _alike(new, phrase)]:
        chosen = alike[-1] if new.preposition else alike[0]
        return before[: chosen.start] + fragment + before[_end(chosen, old) :]
    return ""


def _of_another_kind(new: Phrase, old: Sequence[Phrase]) -> Word | None:
    """The adjective of the last question in whose place another one stands alone: "A krajowe?"."""
    adjectives = [word for phrase in old for word in phrase.inside if word.kind == "adjective"]
    agreeing = [
        word for word in adjectives if {own.tag for own in word.readings} & {own.tag for own in new.noun.readings}
    ]
    return next(iter(agreeing), None)


def _described(adjective: Word, old: Sequence[Phrase]) -> Word | None:
    """The first noun that an adjective alone may tell more of: "a elektroniczne?" after "faktury"."""
    nouns = [phrase.noun for phrase in old if phrase.noun.kind == "noun" and not phrase.preposition]
    return next((noun for noun in nouns if any(a.agrees(n) for a in adjective.readings for n in noun.readings)), None)


def _is_instrumental(phrase: Phrase) -> bool:
    cases = {case for own in phrase.noun.readings for case in own.cases}
    return cases == {"inst"}


def _same_noun(new: Phrase, old: Sequence[Phrase]) -> Phrase | None:
    """A phrase whose noun the new one has too: "urlop na żądanie" after "dni urlopu wypoczynkowego"."""
    if not new.noun.lemmas:
        return None
    for phrase in old:
        for place in range(phrase.first, phrase.last):
            if phrase.words[place].kind == "noun" and phrase.words[place].lemmas & new.noun.lemmas:
                return Phrase(words=phrase.words, first=place, last=_last_adjective(phrase, place), head=place)
    return None


def _last_adjective(phrase: Phrase, place: int) -> int:
    last = place + 1
    while last < phrase.last and phrase.words[last].kind == "adjective":
        last += 1
    return last


def _in_its_case(noun: Word, new: Phrase, fragment: str) -> str:
    """The new phrase with its noun as it stands in the last question."""
    return noun.text + fragment[new.noun.end :]


def _alike(new: Phrase, old: Phrase) -> bool:
    if new.is_time != old.is_time:
        return False
    if old.is_lasting and old.preposition and new.preposition:
        return True
    if new.preposition or old.preposition:
        return _plain(new.preposition) == _plain(old.preposition)
    cases = {case for own in new.noun.readings for case in own.cases} or {"nom"}
    return old.has_topic and any(old.may_be(case) for case in cases) and new.is_person == old.is_person


def _end(chosen: Phrase, old: Sequence[Phrase]) -> int:
    """The end of the phrase with what attaches to it: all of "wniosek o urlop bezpłatny"."""
    end = chosen.end
    for left, right in pairwise(old):
        adjacent = right.preposition and right.first - 1 == left.last and left.end == end
        if left.first >= chosen.first and adjacent and right.preposition in ("o", "za", "od"):
            end = right.end
    return end


def _plain(preposition: str) -> str:
    return _VARIANTS.get(preposition, preposition)
