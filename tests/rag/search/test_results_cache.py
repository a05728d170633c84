"""Analyses are kept, and not a moment longer than they are true."""

from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ingestion.models import Collection, Document, Synonym, SynonymGroup
from ingestion.services.documents import delete_document
from ingestion.services.synonyms import save_synonym
from rag.search.query.analysis import AnalysedQuery
from rag.search.results_cache import expanded_query
from tests.conftest import AddDocument


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    caches["results"].clear()


def analysed(text: str, *collections: Collection, seconds: float = 300) -> tuple[AnalysedQuery, int]:
    """The query, and how many SQL statements it cost."""
    with CaptureQueriesContext(connection) as statements:
        query = expanded_query(text, collections, seconds=seconds)
    return query, len(statements)


def test_the_same_question_costs_one_statement(public: Collection, index: AddDocument) -> None:
    index(public, "Urlop wypoczynkowy wynosi 26 dni.")
    first, cost = analysed("wymiar urlopu", public)
    again, less = analysed("wymiar urlopu", public)
    assert again == first
    assert cost > less == 1


def test_nothing_is_kept_for_no_time(public: Collection, index: AddDocument) -> None:
    index(public, "Urlop wypoczynkowy wynosi 26 dni.")
    analysed("wymiar urlopu", public, seconds=0)  # who may read what is known of a state, whatever is kept of words
    _, cost = analysed("wymiar urlopu", public, seconds=0)
    assert analysed("wymiar urlopu", public, seconds=0)[1] == cost


def test_a_new_synonym_is_in_the_next_analysis(public: Collection, index: AddDocument) -> None:
    index(public, "Urlop i wakacje.")
    assert len(analysed("urlop", public)[0].terms[0].readings) == 1
    group = SynonymGroup.objects.create(name="wolne", collection=public)
    for word in ("urlop", "wakacje"):
        save_synonym(synonym=Synonym(group=group, text=word))
    assert [alternative.text for alternative in analysed("urlop", public)[0].alternatives] == ["wakacje"]


def test_a_word_that_is_gone_corrects_nothing_any_more(public: Collection, index: AddDocument) -> None:
    document = index(public, "Zeznanie podatkowe ryczałtowca Kwiatkowskiego.")
    assert analysed("Kwiatkowskeigo", public)[0].corrections
    delete_document(document=document)
    assert not analysed("Kwiatkowskeigo", public)[0].corrections


def test_hidden_collections_lend_no_words_to_those_who_do_not_search_them(
    public: Collection, restricted: Collection, index: AddDocument
) -> None:
    index(public, "Urząd jest czynny.")
    index(restricted, "Zeznanie podatkowe ryczałtowca Kwiatkowskiego.")
    assert analysed("Kwiatkowskeigo", public, restricted)[0].corrections
    assert not analysed("Kwiatkowskeigo", public)[0].corrections


def test_what_changes_while_it_is_computed_is_not_kept_as_new(public: Collection, index: AddDocument) -> None:
    document = index(public, "Zeznanie podatkowe ryczałtowca Kwiatkowskiego.")
    analysed("Kwiatkowskeigo", public, seconds=0)
    _, statements = analysed("Kwiatkowskeigo", public, seconds=0)
    left = [statements + 1]  # the first one asks for the version of the knowledge base

    def meanwhile(execute: Any, sql: str, *rest: Any) -> Any:
        found = execute(sql, *rest)
        left[0] -= 1
        if left[0] == 0:
            delete_document(document=document)
        return found

    with connection.execute_wrapper(meanwhile):
        query = expanded_query("Kwiatkowskeigo", [public], seconds=300)
    assert query.corrections  # made of what was there when it began
    assert not Document.objects.exists()
    assert not expanded_query("Kwiatkowskeigo", [public], seconds=300).corrections
