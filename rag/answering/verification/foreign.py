"""Claims in another language than their source: rules compare what is written alike in both, and judge no words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from ingestion.text.calendar import GERMAN_MONTHS, MONTHS_OF_A_DAY
from rag.answering.verification.names import is_person, keys_of, stands_in
from rag.answering.verification.overlap import CitedSource
from rag.answering.verification.sentence import Sentence
from rag.types import CheckedClaim, Problem
from rag.understanding.facts.fact import Fact, agreeing

PREFERRED = "pl"
"""Rules compare the words of claims in it, whatever their source is in: of a code listing no language can be told."""
AGREEING = 0.6
"""The support of a claim whose facts its source has: as much as words give that are just enough. An answer of such
claims has a confidence of 0.76 at most, which is "probable", never "sure".
"""
_MONTHS = {
    "de": GERMAN_MONTHS,
    "uk": [rf"{stem}\w*" for stem in "січ лют берез квіт трав черв лип серп верес жовт листопад груд".split()],
}
_UNITS = {
    "de": {
        r"(?:werk|arbeits)tag\w*": "dni roboczych", r"tag(?:e|en|es)?": "dni", r"wochen?": "tygodni",
        r"monat(?:e|en|s)?": "miesięcy", r"jahr(?:e|en|es)?": "lat", r"stunden?": "godzin", r"minuten?": "minut",
        r"[zs][lł]oty": "zł", "prozent": "%",
    },
    "uk": {
        r"робочих\s+дн\w+": "dni roboczych", r"дн(?:і|ів|я)|день": "dni", r"тиж\w+": "tygodni",
        r"місяц\w+": "miesięcy", r"рок(?:и|ів|у)|рік": "lat", r"годин\w*": "godzin", r"хвилин\w*": "minut",
        r"злот\w+": "zł", r"відсот\w+": "%",
    },
    "en": {
        r"(?:working|business)\s+days?": "dni roboczych", r"days?": "dni", r"weeks?": "tygodni", r"months?": "miesięcy",
        r"years?": "lat", r"hours?": "godzin", r"minutes?": "minut", r"[zs][lł]otys?": "zł", "per cent": "%",
    },
}  # fmt: skip
_THOUSANDS = {"en": re.compile(r"(?<=\d),(?=\d{3}\b)"), "de": re.compile(r"(?<=\d)\.(?=\d{3}\b)")}


def is_foreign(language: str, sources: Iterable[CitedSource]) -> bool:
    """Whether all of `sources` are in another language than a claim in `language`."""
    return language != PREFERRED and all(source.language not in ("", language) for source in sources)


def check_foreign(
    claim: str, plain: str, sources: Sequence[tuple[int, CitedSource]], *, question: str, language: str
) -> tuple[CheckedClaim, frozenset[int]]:
    """`claim` and the citations that have all its facts; `plain` is it without markers, `question` is in the language
    of the sources.

    `unchecked` where numbers, dates, identifiers and persons are all there: of its words rules know nothing.
    """
    given = Sentence(question).facts
    found = {number: list(_problems(plain, source, given, language)) for number, source in sources}
    fewest = min(found.values(), key=len)
    checked = CheckedClaim(
        text=claim,
        citations=tuple(found),
        verdict="not_covered" if fewest else "unchecked",
        support=0.0 if fewest else AGREEING,
        problems=tuple(fewest),
    )
    return checked, frozenset(number for number, problems in found.items() if not problems)


def _problems(plain: str, source: CitedSource, given: Sequence[Fact], language: str) -> Iterator[Problem]:
    sentences = [source.heading, *source.sentences]
    known = [*given, *chain.from_iterable(sentence.facts for sentence in sentences)]
    for fact in Sentence(in_polish_terms(plain, language)).facts:
        bare = replace(fact, unit="")  # "2100 and" counts nothing, and what a foreign word counts is not known
        if not (agreeing(bare, known) or _is_day(bare, known)):
            yield Problem(kind=fact.kind, said=fact.written)
    keys = keys_of(chain.from_iterable(sentence.names for sentence in sentences))
    lemmas = frozenset[str]().union(*(sentence.lemmas for sentence in sentences))
    text = " ".join(sentence.text for sentence in sentences)
    for name in Sentence(plain).names:
        if is_person(name) and not stands_in(name, keys, lemmas, text):
            yield Problem(kind="name", said=name.name)


def _is_day(fact: Fact, known: Sequence[Fact]) -> bool:
    """Whether it is the day of a date: what stands behind it is in another language."""
    days = {date.value[-1] for date in known if date.dimension == "date"}
    return fact.dimension == "count" and fact.value[0] in days


def in_polish_terms(text: str, language: str) -> str:
    """`text` with its months, units and thousands as Polish writes them, so that its facts can be compared."""
    if separator := _THOUSANDS.get(language):
        text = separator.sub("", text)
    months = dict(zip(_MONTHS.get(language, ()), MONTHS_OF_A_DAY, strict=False))
    for theirs, polish in {**months, **_UNITS.get(language, {})}.items():
        text = re.sub(rf"\b(?:{theirs})\b", polish, text, flags=re.IGNORECASE)
    return text
