"""Expansion as editors write it: which questions a group or glossary entry reaches, and with what."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ingestion.models import Collection, GlossaryEntry, Synonym, SynonymGroup
from ingestion.services.synonyms import save_glossary_entry, save_synonym
from rag.search.query.analysis import AnalysedQuery, analyse_query
from rag.search.query.expansion import Expansion, expand
from rag.search.query.terms import QueryTerm, TermReading

MakeGroup = Callable[..., SynonymGroup]


@pytest.fixture
def group(db: None) -> MakeGroup:
    def make(*texts: str, **fields: object) -> SynonymGroup:
        made = SynonymGroup.objects.create(name=texts[0], **fields)
        for position, text in enumerate(texts):
            save_synonym(synonym=Synonym(group=made, text=text, position=position))
        return made

    return make


def expansions(question: str, *collections: Collection, limit: int = 6) -> tuple[Expansion, ...]:
    query = analyse_query(question, [collection.pk for collection in collections])
    return expand(query, collections=collections, limit=limit)


def found(question: str, *collections: Collection, limit: int = 6) -> list[str]:
    return [expansion.text for expansion in expansions(question, *collections, limit=limit)]


def test_each_word_of_a_two_way_group_finds_the_others(public: Collection, group: MakeGroup) -> None:
    group("samochód", "auto", "pojazd")
    assert found("samochód", public) == ["auto", "pojazd"]
    assert found("auto", public) == ["samochód", "pojazd"]


def test_only_the_first_word_of_a_one_way_group_finds_the_others(public: Collection, group: MakeGroup) -> None:
    group("pojazd", "samochód", "rower", direction="one_way")
    assert found("rejestracja pojazdu", public) == ["samochód", "rower"]
    assert found("rejestracja samochodu", public) == []


@pytest.mark.parametrize("question", ["urlop", "ile dni urlopu?", "o URLOPIE", "po urlopach"])
def test_a_word_is_matched_in_every_inflection(public: Collection, group: MakeGroup, question: str) -> None:
    group("urlop", "dni wolne")
    assert found(question, public) == ["dni wolne"]


def test_an_expansion_says_where_it_comes_from(public: Collection, group: MakeGroup) -> None:
    group("praca zdalna", "home office", weight=0.4)
    assert expansions("wniosek o pracę zdalną", public) == (
        Expansion(
            typed="pracę zdalną",
            text="home office",
            lemmas=("home", "office"),
            weight=0.4,
            source="synonym",
            terms=(1, 2),
        ),
    )


@pytest.mark.parametrize("question", ["praca zdalna", "zasady pracy zdalnej w urzędzie", "o pracę zdalną"])
def test_a_phrase_is_matched_as_neighbouring_words(public: Collection, group: MakeGroup, question: str) -> None:
    group("praca zdalna", "telepraca")
    assert found(question, public) == ["telepraca"]


@pytest.mark.parametrize("question", ["praca", "zdalna pomoc", "praca biurowa i zdalna", "zdalna praca"])
def test_words_of_a_phrase_apart_or_in_another_order_do_not_match(
    public: Collection, group: MakeGroup, question: str
) -> None:
    group("praca zdalna", "telepraca")
    assert found(question, public) == []


def test_a_word_of_several_readings_is_expanded_in_each(public: Collection, group: MakeGroup) -> None:
    group("sąd", "trybunał")
    group("sąd rejonowy", "wydział cywilny")
    readings = (TermReading(form="sad", lemma="sad"), TermReading(form="sąd", lemma="sąd"))
    court = (TermReading(form="rejonowy", lemma="rejonowy"),)
    terms = [QueryTerm(typed="sad", readings=readings), QueryTerm(typed="rejonowy", readings=court)]
    query = AnalysedQuery(text="sad rejonowy", terms=tuple(terms))
    found = [(expansion.typed, expansion.text) for expansion in expand(query, collections=[public])]
    assert found == [("sad rejonowy", "wydział cywilny"), ("sad", "trybunał")]


def test_function_words_within_a_phrase_do_not_count(public: Collection, group: MakeGroup) -> None:
    group("praca na odległość", "telepraca")
    assert found("regulamin pracy na odległość", public) == ["telepraca"]
    assert expansions("telepraca", public)[0].lemmas == ("praca", "odległość")


def test_a_single_word_finds_a_phrase(public: Collection, group: MakeGroup) -> None:
    group("telepraca", "praca zdalna")
    assert [expansion.lemmas for expansion in expansions("telepracy", public)] == [("praca", "zdalny")]


def test_a_group_of_a_collection_applies_where_the_collection_is_searched(
    public: Collection, internal: Collection, group: MakeGroup
) -> None:
    group("urlop", "wakacje")
    group("urlop", "laba", collection=internal)
    assert found("urlop", public) == ["wakacje"]
    assert set(found("urlop", public, internal)) == {"wakacje", "laba"}


def test_a_group_that_is_not_in_use_expands_nothing(public: Collection, group: MakeGroup) -> None:
    group("urlop", "wakacje", enabled=False)
    assert found("urlop", public) == []


def test_function_words_are_never_expanded(public: Collection, group: MakeGroup) -> None:
    made = group("urlop", "wakacje")
    Synonym.objects.create(group=made, text="jak", phrase="jak", found_by="jak")
    assert found("jak", public) == []
    assert found("jak to jest", public) == []


def test_at_most_the_limit_heaviest_first(public: Collection, group: MakeGroup) -> None:
    group("urlop", "wakacje", weight=0.3)
    group("urlop", "wypoczynek", weight=0.7)
    group("urlop", "wolne", weight=0.5)
    assert found("urlop", public) == ["wypoczynek", "wolne", "wakacje"]
    assert found("urlop", public, limit=2) == ["wypoczynek", "wolne"]
    assert found("urlop", public, limit=0) == []


def test_of_equal_weight_every_word_gets_one_before_any_gets_two(public: Collection, group: MakeGroup) -> None:
    group("urlop", "wakacje", "wypoczynek", "laba")
    group("wniosek", "podanie", "pismo")
    assert found("wniosek o urlop", public, limit=3) == ["podanie", "wakacje", "pismo"]


def test_a_synonym_in_two_groups_counts_once_with_the_greater_weight(public: Collection, group: MakeGroup) -> None:
    group("urlop", "wakacje", weight=0.3)
    group("urlop", "wakacje", weight=0.6)
    assert [(e.text, e.weight) for e in expansions("urlop", public)] == [("wakacje", 0.6)]


def test_what_the_question_already_says_is_not_added(public: Collection, group: MakeGroup) -> None:
    group("urlop", "wakacje", "dni wolne")
    assert found("urlop czy wakacje", public) == ["dni wolne"]


def test_a_glossary_term_and_its_aliases_find_each_other(public: Collection, internal: Collection) -> None:
    save_glossary_entry(
        entry=GlossaryEntry(term="Elektroniczny Obieg Dokumentów", aliases=["EOD", "obieg pism"], kind="system")
    )
    save_glossary_entry(entry=GlossaryEntry(term="Karta Obiegowa", aliases=["obiegówka"], collection=internal))
    expanded = expansions("logowanie do EOD", public)
    assert [(e.text, e.source) for e in expanded] == [
        ("Elektroniczny Obieg Dokumentów", "glossary"),
        ("obieg pism", "glossary"),
    ]
    assert found("elektronicznego obiegu dokumentów", public) == ["EOD", "obieg pism"]
    assert found("karta obiegowa", public) == []
    assert found("karta obiegowa", internal) == ["obiegówka"]


def test_thesaurus_groups_are_named_as_such(public: Collection, group: MakeGroup) -> None:
    group("urlop", "wakacje", source="thesaurus", weight=0.2)
    assert [(e.source, e.weight) for e in expansions("urlop", public)] == [("thesaurus", 0.2)]


def test_expansion_is_one_query(public: Collection, group: MakeGroup) -> None:
    group("urlop", "wakacje")
    query = analyse_query("ile dni urlopu przysługuje pracownikowi", [public.pk])
    with CaptureQueriesContext(connection) as queries:
        expand(query, collections=[public])
    assert len(queries) == 1
