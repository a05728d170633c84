"""What a text must say of a question to be about the same thing: its names, its kind of thing, what has a price."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, product

from ingestion.text.analyser import analyser
from ingestion.text.names.name_words import name_words
from ingestion.types import Token
from rag.answering.judgement.parts import cited_text
from rag.answering.judgement.question_words import Words
from rag.answering.judgement.saying import lemmas_of, names, says
from rag.answering.judgement.values import lacks_its_value
from rag.search.query.terms import QueryTerm
from rag.types import Citation, Passage
from rag.understanding.facts.quantities import UNITS

_FROM_NOUNS = ("owy", "ski", "cki")
_CLASSIFYING = (*_FROM_NOUNS, "ny", "czy")  # "ojcowski", "zbliżeniowy" name a kind; "duży", "świeżutki" do not
_NO_KINDS = frozenset("kwadratowy sześcienny roboczy kalendarzowy minimalny maksymalny".split())  # of units and limits
_BESIDE_THE_MATTER = frozenset(("nazwa_pospolita", "imię", "nazwisko", "nazwa_geograficzna"))  # of SGJP
_WORD = re.compile(r"\w+")
_USUAL = 3  # chunks from which on a word that no dictionary has is one of the library's

Inflection = tuple[str, ...]
"""Number, case and gender, as SGJP has them."""


def lacks_an_essential(words: Words, passages: Sequence[Passage], citations: Sequence[Citation]) -> bool:
    """Whether what is cited has nothing of a name that the question asks about, of the kind that it says a thing is,
    "urlop ojcowski", or has no value for what it asks the price or the time of.
    """
    told = lemmas_of(cited_text(passages, citations))
    if any(not names(words, name, told) for name in _names(words)):
        return True
    kinds = list(_kinds(words))
    if any(not says(words, kind, told) for kind in kinds):
        return True
    return lacks_its_value(words, passages, citations, [kind for kind in kinds if kind.lemma in words.asked_about])


def _names(words: Words) -> Iterator[QueryTerm]:
    """Of products, bodies and the like, that it asks about."""
    asked = (term for term in words.query.terms if term.lemma in words.asked_about and term.typed not in UNITS)
    return (term for term in asked if (_is_own_name(words, term) if term.name else _is_foreign(term)))


def _is_own_name(words: Words, term: QueryTerm) -> bool:
    """Whether it is no noun that offices write with a capital, and no person or town, of the situation that is told."""
    if _is_in_capitals(words.question.text, term.typed):
        return True
    readings = name_words().readings(term.typed.capitalize())
    return not _BESIDE_THE_MATTER.intersection(label for _, _, labels in readings for label in labels)


def _is_in_capitals(question: str, typed: str) -> bool:
    """Whether it stands there as "API" does, among other words that do not."""
    return len(typed) > 1 and not question.isupper() and typed.isalpha() and typed.upper() in _WORD.findall(question)


def _is_foreign(term: QueryTerm) -> bool:
    """Whether the library has the word and no dictionary does, as it is typed: "syntex"."""
    as_typed = term.lemma_chunks >= _USUAL and [reading.form for reading in term.readings] == [term.typed]
    return as_typed and term.typed.isalpha() and not analyser().lemmatiser.knows(term.typed)


def _kinds(words: Words) -> Iterator[QueryTerm]:
    """The adjectives that name a kind, as they do right after their noun: "urlop ojcowski"."""
    question = words.question.text
    terms = {term.typed: term for term in words.query.terms}
    for noun, after in pairwise(analyser().tokens(question)):
        beside = question[noun.end : after.start] == " " and after.form in terms and not analyser().is_stop_word(noun)
        if beside and name_words().is_noun(noun.form) and _is_classifying(after, noun):
            yield terms[after.form]


def _inflected(token: Token) -> set[Inflection]:
    """In which numbers, cases and genders it may stand; a noun and its adjective have one in common."""
    tags = (tag.split(":") for _, tag, _ in name_words().readings(token.form))
    return {one for tag in tags for one in product(*(part.split(".") for part in tag[1:4])) if "voc" not in one}


def _is_classifying(token: Token, noun: Token) -> bool:
    """Whether it says what kind of thing the noun before it names. What is a noun too, "parkingowy", or stands beside a
    noun that is not its own, "ile dni ojcowskiego", does so if it is made from a noun; "wolny" says how a thing is, and
    "depozyt maksymalna wysokość" speaks of no kind of deposit.
    """
    if token.lemma in _NO_KINDS:
        return False
    readings = name_words().readings(token.form)
    bases = {base for base, tag, _ in readings if tag.startswith("adj:")}
    is_its_own = all(tag.startswith("adj:") for _, tag, _ in readings) and _inflected(noun) & _inflected(token)
    endings = _CLASSIFYING if is_its_own else _FROM_NOUNS
    return bool(bases) and bases == {base for base, _, _ in readings} and all(one.endswith(endings) for one in bases)
