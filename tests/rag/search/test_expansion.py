"""What editors add is found, weighs less, and never outranks what the reader typed."""

import pytest
from django.contrib.auth.models import AnonymousUser

from ingestion.models import Collection, Synonym, SynonymGroup
from ingestion.services.synonyms import save_synonym
from rag.services.search import search_passages
from tests.conftest import index_text, make_public
from tests.kept import Kept


def synonyms(*words: str, collection: Collection | None = None) -> SynonymGroup:
    group = SynonymGroup.objects.create(name=words[0], collection=collection)
    for position, word in enumerate(words):
        save_synonym(synonym=Synonym(group=group, text=word, position=position))
    return group


def titles(query: str) -> list[str]:
    return [passage.title for passage in search_passages(query=query, viewer=AnonymousUser()).passages]


@pytest.fixture(scope="module")
def kept_offices(kept_rows: Kept) -> None:
    with kept_rows.writing():
        public = make_public()
        index_text(public, "Telepraca jest możliwa po roku. Telepraca! Telepraca!", name="a.txt", title="Telepraca")
        index_text(
            public, "O pracy, także zdalnej, decyduje kierownik wydziału po rozmowie.", name="b.txt", title="Zdalna"
        )
        index_text(public, "Samochód służbowy przydziela sekretarz.", name="c.txt", title="Samochody")


@pytest.fixture
def offices(kept_offices: None, db: None) -> None:
    """What `kept_offices` wrote."""


@pytest.mark.usefixtures("offices")
class TestExpansion:
    def test_a_synonym_brings_in_what_was_not_typed(self) -> None:
        assert titles("zorza") == []
        synonyms("samochód", "zorza")
        assert titles("zorzą") == ["Samochody"]

    def test_a_verb_is_found_by_its_other_aspect(self) -> None:
        synonyms("przyznać", "przydzielać")
        assert titles("kto przyznawał samochody")[0] == "Samochody"
        assert titles("kto przyznawał") == ["Samochody"]

    def test_a_phrase_finds_the_word_and_the_word_the_phrase(self) -> None:
        synonyms("praca zdalna", "telepraca")
        assert set(titles("praca zdalna")) == {"Telepraca", "Zdalna"}
        assert set(titles("telepraca")) == {"Telepraca", "Zdalna"}

    def test_what_has_every_typed_word_stays_above_what_has_none(self) -> None:
        synonyms("praca zdalna", "telepraca")
        assert titles("zdalna praca")[0] == "Zdalna"

    def test_a_group_that_is_switched_off_adds_nothing(self) -> None:
        SynonymGroup.objects.filter(pk=synonyms("samochód", "zorza").pk).update(enabled=False)
        assert titles("zorza") == []
