"""Whether two sentences of different documents speak of one thing, as far as words tell.

A sentence seldom says all of its subject: the title and the headings say the rest. "Opłata wynosi 17 zł" under two
titles is of two things, and "Obowiązuje od 1 maja 2025 r." is of the document that it stands in. A false alarm costs
more trust than a missed difference, so whatever may make them two things keeps them apart.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ingestion.text.morphology.grammar import readings
from rag.answering.verification.names import keys_of
from rag.answering.verification.overlap import CitedSource, kinship
from rag.answering.verification.polarity import POLAR
from rag.answering.verification.sentence import Sentence
from rag.types import Passage

OF_A_DOCUMENT = frozenset(
    "regulamin instrukcja zasada procedura polityka zarządzenie uchwała rozporządzenie komunikat informator informacja "
    "poradnik przewodnik podręcznik faq cennik taryfa ogłoszenie ogłosić aktualność pouczenie pouczyć ulotka wykaz "
    "tabela załącznik dokument tekst jednolity wersja strona paragraf artykuł punkt rozdział zarządzić rozporządzić "
    "wprowadzić wprowadzać obowiązywać wejść wchodzić życie data dzień numer ostatni zmiana aktualizacja "
    "aktualizować publikacja publikować opublikować zastąpić zastępować uchylić podpisać sporządzić".split()
)
"""What any document is called, and its coming and going."""

OF_ANYTHING = frozenset(
    "opłata stawka koszt cena kwota wysokość termin okres czas limit liczba ilość wartość suma poziom wniosek decyzja "
    "sprawa usługa umowa rodzaj warunek przypadek wymóg pracownik osoba klient użytkownik urząd jednostka referat "
    "wydział organ".split()
)
"""What many things have: another word must say whose fee, term or application it is."""

NEUTRAL = frozenset(
    "termin okres czas nowy stary obecny obowiązujący dany każdy własny pisemny maksymalny minimalny kolejny następny "
    "miesięczny roczny kalendarzowy łączny łącznie obecnie każdorazowo zawsze zwykle".split()
)
"""What one of two sentences on one thing may have without narrowing it."""

GUIDES = frozenset(
    "poradnik informator przewodnik podręcznik faq broszura ulotka vademecum biuletyn aktualność ogłoszenie ogłosić "
    "komunikat".split()
)
"""Documents of many things: what they say is of the heading above it."""


Part = Literal["verb", "thing", "quality"]
_VERBS = frozenset("fin praet inf imps impt bedzie winien pred pcon pant aglt".split())
_QUALITIES = frozenset("adj adja adjc adv ppas pact".split())
_ONE_ACT = {"złożyć": "składać", "wnieść": "wnosić", "wziąć": "brać"}
_FRAMING = frozenset("musieć móc powinien należeć trzeba mieć obowiązać wynosić być zostać wolno".split())
_SINCE = re.compile(
    r"\bod (?:dnia |daty |momentu |chwili )?(?:jej |jego |ich )?\w+(?:ania|enia|cia|jęcia)(?: \w+)?", re.IGNORECASE
)
_NUMBER = re.compile(r"\d+")
_LAWS = frozenset("kodeks ustawa".split())
_AND = re.compile(r"\s+(?:i|oraz|a także|lub|–|-|—)\s+|[,:;]\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceInContext:
    """A `sentence` of a passage, what its document and its section are of, and all that stands `above` it."""

    passage: Passage
    sentence: Sentence
    title: Sentence
    heading: Sentence
    above: Sentence


def said_in(passage: Passage, source: CitedSource) -> list[SentenceInContext]:
    """Its sentences. What a guide says is of its heading: "Informator dla mieszkańców" is of everything."""
    title = Sentence(passage.title)
    heading = Sentence(passage.heading_path[-1] if passage.heading_path else "")
    of = heading if title.lemmas & GUIDES else title
    return [
        SentenceInContext(passage=passage, sentence=sentence, title=of, heading=heading, above=source.heading)
        for sentence in source.sentences
    ]


def same_subject(first: SentenceInContext, second: SentenceInContext, *, besides: frozenset[str] = frozenset()) -> bool:
    """Whether nothing in the sentences, titles and headings makes them two things. Names of the keys `besides` are what
    is said of it.
    """
    ours, theirs = parts_of(first.sentence), parts_of(second.sentence)
    parts = {**ours, **theirs}
    shared, left, right = _compared(first.sentence.topic, second.sentence.topic)
    named = _named(first.sentence) & _named(second.sentence)
    subject = frozenset(word for word in shared | named if parts.get(word) != "verb") - OF_A_DOCUMENT - OF_ANYTHING
    return (
        bool(subject)
        and "verb" in ours.values()
        and "verb" in theirs.values()
        and _predicated_alike(parts, shared, left, right)
        and not _narrowed(first, second, left, right, parts)
        and keys_of(first.sentence.names) - besides == keys_of(second.sentence.names) - besides
        and _at_one_time(first.sentence, second.sentence)
        and _titled_alike(first, second, subject)
    )


def _named(sentence: Sentence) -> frozenset[str]:
    """The lemmas of its names, which are no part of the topic."""
    spans = [(name.start, name.end) for name in sentence.names]
    return frozenset(token.lemma for token in sentence.tokens if any(a <= token.start < b for a, b in spans))


def _compared(ours: frozenset[str], theirs: frozenset[str]) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The words of both, by family, and what is left on either side."""
    ours, theirs = (frozenset(_ONE_ACT.get(word, word) for word in words) for words in (ours, theirs))
    left = frozenset(word for word in ours if not kinship(word, theirs))
    right = frozenset(word for word in theirs if not kinship(word, ours))
    return ours - left, left - POLAR, right - POLAR


def parts_of(sentence: Sentence) -> Mapping[str, Part]:
    """What each lemma is in this very sentence: "zgłoszenie" is a thing, though its lemma is "zgłosić"."""
    return {token.lemma: _part(token.form, token.lemma) for token in sentence.tokens}


@lru_cache(maxsize=20_000)
def _part(form: str, lemma: str) -> Part:
    """A word that the dictionary lacks is taken for a thing: VPN, webhook."""
    read = readings(form)
    found = {reading.part for reading in read if reading.lemma == lemma} or {reading.part for reading in read}
    if found & _VERBS:
        return "verb"
    return "quality" if found and found <= _QUALITIES else "thing"


def _predicated_alike(
    parts: Mapping[str, Part], shared: frozenset[str], left: frozenset[str], right: frozenset[str]
) -> bool:
    """Whether one thing is said of it: "składa się" and "rozpatruje się" are two."""
    ours, theirs = ({word for word in words if parts.get(word) == "verb"} - _FRAMING for words in (left, right))
    return not (ours and theirs)


def _narrowed(
    first: SentenceInContext,
    second: SentenceInContext,
    left: frozenset[str],
    right: frozenset[str],
    parts: Mapping[str, Part],
) -> bool:
    """Whether one sentence has a word that may make a special case of it, and the other's headings have not."""
    since = [_since(said.sentence) for said in (first, second)]
    if all(since):
        since = [frozenset(), frozenset()]
    ours = {word for word in left - since[0] if not kinship(word, second.above.lemmas)}
    theirs = {word for word in right - since[1] if not kinship(word, first.above.lemmas)}
    return any(parts.get(word) != "verb" for word in (ours | theirs) - NEUTRAL)


def _since(sentence: Sentence) -> frozenset[str]:
    """The words of "od dnia otrzymania", which only one may care to say."""
    spans = [match.span() for match in _SINCE.finditer(sentence.text)]
    return frozenset(token.lemma for token in sentence.tokens if any(a <= token.start < b for a, b in spans))


def _at_one_time(first: Sentence, second: Sentence) -> bool:
    """Whether both say how it is, or both how it was."""
    return speaks_of_the_past(first) == speaks_of_the_past(second)


def speaks_of_the_past(sentence: Sentence) -> bool:
    """Whether it has a verb that can be nothing but past."""
    return any(_is_past(token.form) for token in sentence.tokens)


def is_step(sentence: Sentence) -> bool:
    """Whether it begins by telling its reader what to do: "Wybierz pozycję…" says how nothing is."""
    words = (token.form for token in sentence.tokens if token.form[0].isalpha())
    return {reading.part for reading in readings(next(words, ""))} == {"impt"}


@lru_cache(maxsize=20_000)
def _is_past(form: str) -> bool:
    return {reading.part for reading in readings(form)} == {"praet"}


def _titled_alike(first: SentenceInContext, second: SentenceInContext, subject: frozenset[str]) -> bool:
    ours, theirs = keys_of(first.title.names), keys_of(second.title.names)
    if (ours - theirs and theirs - ours) or _are_editions(first.title, second.title):
        return False
    if _are_two_laws(first.title, second.title):
        return False
    above = _words(first.title) | _words(second.title)
    return _of_one(first.title, second.title, subject) and _of_one(first.heading, second.heading, subject | above)


def _are_two_laws(first: Sentence, second: Sentence) -> bool:
    """Titles of two statutes: each rules its own matter, however alike they are worded."""
    words = [{word for word in title.lemmas if word.isalpha()} for title in (first, second)]
    return all(its & _LAWS for its in words) and words[0] != words[1]


def _are_editions(first: Sentence, second: Sentence) -> bool:
    """Titles with the same words and other numbers: of two years, or of two articles of one act."""
    numbers = [_NUMBER.findall(title.text) for title in (first, second)]
    words = [{word for word in title.lemmas if word.isalpha()} for title in (first, second)]
    return bool(words[0]) and words[0] == words[1] and all(numbers) and numbers[0] != numbers[1]


def _of_one(first: Sentence, second: Sentence, subject: frozenset[str]) -> bool:
    """Whether two titles, or two headings, may be of one thing. Those that share nothing may, where one is of the
    `subject`; those that share a word may not be of two kinds of it: "karta parkingowa", "karta Dużej Rodziny".
    """
    ours, theirs = _words(first), _words(second)
    if not (ours and theirs):
        return True
    if not _compared(ours, theirs)[0]:
        return any(kinship(word, ours | theirs) for word in subject)
    pairs = (_compared(one, other) for one in _listed(first) for other in _listed(second))
    return any(shared and not (left - subject and right - subject) for shared, left, right in pairs)


def _words(line: Sentence) -> frozenset[str]:
    return line.lemmas - OF_A_DOCUMENT - OF_ANYTHING - NEUTRAL


def _listed(line: Sentence) -> list[frozenset[str]]:
    """The words of each thing that a title lists: "Zaliczki i karty płatnicze"."""
    return [_words(Sentence(part)) for part in _AND.split(line.text)]
