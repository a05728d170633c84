"""What the last sentence of a question is about: the nouns in it that no preposition leads in."""

from collections.abc import Iterator

from ingestion.text.analyser import analyser
from ingestion.text.diacritics import fold
from ingestion.text.names.name_words import name_words
from ingestion.types import Token
from rag.answering.judgement.question_words import Words
from rag.search.query.terms import QueryTerm
from rag.understanding.expected import expected

# A noun led in by one tells where, when or for whom, which a text need not repeat: "naklejka na drzwi".
_PREPOSITIONS = frozenset("w we na do z ze od za po przy u o pod nad przed przez między dla bez".split())
# They stand in any question, or name what is asked for, for which a text has another word: "jaka komenda".
_OF_ANY_QUESTION = frozenset(
    "czas raz dzien godzina rok tydzien miesiac minuta kwadrans wieczor ranek rano noc poludnie weekend poniedzialek "
    "wtorek sroda czwartek piatek sobota niedziela jutro wczoraj dzisiaj pora chwila moment termin poczatek koniec "
    "sprawa rzecz czlowiek osoba pracownik urzad praca miejsce sposob sytuacja temat kwestia sens maks maksimum "
    "minimum tysiac tys zloty procent kasa pieniadz koszt cena oplata stawka kwota limit roznica komenda adres telefon "
    "numer kontakt mail zasada warunek przepis informacja".split()
)
_SHORTEST = 3  # letters
_VERBAL = ("fin", "inf", "praet", "impt", "imps", "bedzie")  # tags of SGJP
_NO_NOUN = (*_VERBAL, "adv", "prep", "part", "adj")


def objects_of(words: Words) -> Iterator[QueryTerm]:
    """As the query has them; none that may be a verb or an adjective too, and not what is counted."""
    terms = {term.typed: term for term in words.query.terms if term.lemma in words.asked_about}
    counted = expected(words.question.text).noun
    led_in = False
    for token in words.last_tokens:
        if token.form in _PREPOSITIONS:
            led_in = True
            continue
        term = terms.get(token.form)
        if term and not led_in and token.lemma != counted and _is_object(term):
            yield term
        led_in = led_in and _may_go_before_its_noun(token)


def stands_in_any_question(term: QueryTerm) -> bool:
    """Whether it names no thing of its own: "sprawa", "cena"."""
    return any(fold(reading.lemma) in _OF_ANY_QUESTION for reading in term.readings)


def may_be_a_verb(term: QueryTerm) -> bool:
    return any(tag.startswith(_VERBAL) for _, tag, _ in name_words().readings(term.typed))


def _is_object(term: QueryTerm) -> bool:
    if len(term.typed) < _SHORTEST or stands_in_any_question(term):
        return False
    forms = {term.typed, term.readings[0].form}
    tags = [tag for form in forms for _, tag, _ in name_words().readings(form)]
    return any(map(name_words().is_noun, forms)) and not any(tag.startswith(_NO_NOUN) for tag in tags)


def _may_go_before_its_noun(token: Token) -> bool:
    return name_words().is_adjective(token.form) or analyser().is_stop_word(token)
