"""The thing of which a question wants the price, the time or the holder: "duplikat" of "ile kosztuje duplikat"."""

import re
from collections.abc import Iterator

from ingestion.text.analyser import analyser
from ingestion.text.diacritics import fold
from ingestion.text.names.name_words import name_words
from ingestion.types import Token
from rag.understanding.facts.quantities import unit_of

_SUM = r"(?:kara|kare|mandat|grzywna|oplata|oplate|cena|cene|koszt|stawka|stawke|kaucja|limit)"
_BESIDE = r"(?:(?!i\b|oraz\b|a\b|za\b)\w+ ){0,2}"
# No "szef": he is called otherwise where he is named.
_POST = (
    r"(?:burmistrz|wojt|prezydent|starost|wojewod|dyrektor|prezes|przewodnicz|sekretarz|skarbni|rzeczni|soltys|rektor"
    r"|dziekan|komendant|ksiegow)"
)
# Of text without diacritics in lower case; what is asked about follows.
_VALUED = re.compile(
    r"\bna (?:il[eu]|jak dlugo) (?:(?:lat|miesiecy|dni|czasu) )?(?:jest |sa )?(?:wyda\w+|przyzna\w+|wazn\w+)"
    rf"|\b(?:ile|jak dlugo|jak szybko) {_BESIDE}(?:kosztuj\w+|wynos\w+|trwa\w*|potrwa\w*"
    rf"|(?:za|do)?plac\w+ (?:sie )?za|czeka\w* (?:sie )?(?:na )?)"
    rf"|\bile (?:sie )?za\b|\b{_SUM} za\b|\b(?:cena|koszt)\b"
    rf"|\b(?:kto (?:\w+ )?(?:jest|byl\w*|bedzie)|jak (?:sie )?nazywa\w*(?: sie)?) (?=(?:\w+ )?{_POST})"
)
_SENTENCE_END = re.compile(r"[?.!,;]")
_REACH = 4  # words after it among which the thing is
# Of these every paper and every card has its own: the thing is what comes after. A night is counted as a day is.
_FORMALITIES = frozenset(
    "noc wyrobić wydać złożyć załatwić uzyskać otrzymać wykonać zrobić korzystać rozpatrzyć całość jedna sztuka".split()
)


def valued_things(question: str) -> Iterator[Token]:
    """The first noun after each such asking, of a verbal noun its lemma is the verb; adjectives where no noun is asked
    about: "ile wynosi najniższa krajowa", not "zgubiłem kartę, ile za nową".
    """
    plain = fold(question).lower()
    if len(plain) != len(question):
        return
    tokens = analyser().tokens(question)
    for asking in _VALUED.finditer(plain):
        end = _SENTENCE_END.search(plain, asking.end())
        reach = end.start() if end else len(plain)
        after = [token for token in tokens if asking.end() <= token.start < reach][:_REACH]
        thing = next((token for token in after if not _is_beside(token)), None)
        if thing and name_words().is_noun(thing.form):
            yield thing
        elif not any(map(_is_said_noun, tokens)):
            yield from filter(_stands_for_a_noun, after)


def _is_said_noun(token: Token) -> bool:
    return name_words().is_noun(token.form) and not analyser().is_stop_word(token)


def _stands_for_a_noun(token: Token) -> bool:
    """As "najniższa krajowa" does where no noun is there."""
    adjective = name_words().is_adjective(token.form) and not analyser().is_stop_word(token)
    return adjective and unit_of(token) is None


def _is_beside(token: Token) -> bool:
    said = analyser().is_stop_word(token) or name_words().is_adjective(token.form)
    return said or token.lemma in _FORMALITIES or unit_of(token) is not None
