"""Glossary entries recognised in texts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

from ingestion.models import Collection, GlossaryEntry
from ingestion.services.synonyms import save_glossary_entry
from ingestion.text.names.entities import glossary_ruler

if TYPE_CHECKING:  # with spaCy, which takes each process that collects two seconds
    from ingestion.text.names.ruler import GlossaryMention

pytestmark = pytest.mark.django_db


def entry(term: str, *aliases: str, **fields: object) -> GlossaryEntry:
    return save_glossary_entry(entry=GlossaryEntry(term=term, aliases=list(aliases), **fields))


def find_entities(text: str, *, collection_ids: Sequence[int] | None = None) -> "list[GlossaryMention]":
    ruler = glossary_ruler()
    return ruler.find(text, collection_ids) if ruler else []


def names(text: str) -> list[str]:
    return [entity.text for entity in find_entities(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Wydział Komunikacji wydaje dowody.", "Wydział Komunikacji"),
        ("Proszę iść do Wydziału Komunikacji.", "Wydziału Komunikacji"),
        ("w wydziale\nkomunikacji", "wydziale\nkomunikacji"),
        ("Złóż to w WK.", "WK"),
        ("pismo z WK-u", "WK-u"),
    ],
)
def test_an_entry_is_found_in_any_inflection_and_by_its_aliases(text: str, found: str) -> None:
    unit = entry("Wydział Komunikacji", "WK", kind="unit")
    (entity,) = find_entities(text)
    assert (entity.text, entity.label, entity.entry_id) == (found, "unit", unit.pk)
    assert text[entity.start : entity.end] == found


@pytest.mark.parametrize(
    "text", ["To nasz wydział. Komunikacja jest ważna.", "wydział, komunikacja", "wydział (komunikacji)"]
)
def test_words_of_two_clauses_are_not_one_name(text: str) -> None:
    entry("Wydział Komunikacji")
    assert names(text) == []


def test_the_longest_name_stands(db: None) -> None:
    entry("wniosek")
    entry("wniosek o urlop")
    assert names("Wnioski oraz wniosek o urlop") == ["Wnioski", "wniosek o urlop"]


def test_an_entry_without_kind_is_a_term() -> None:
    entry("obiegówka")
    assert [entity.label for entity in find_entities("Podpisz obiegówkę")] == ["term"]


def test_changes_of_the_glossary_count_at_once() -> None:
    unit = entry("Wydział Komunikacji")
    assert names("Referat Budżetu i Wydział Komunikacji") == ["Wydział Komunikacji"]
    unit.term = "Referat Budżetu"
    save_glossary_entry(entry=unit)
    assert names("Referat Budżetu i Wydział Komunikacji") == ["Referat Budżetu"]
    unit.delete()
    assert names("Referat Budżetu i Wydział Komunikacji") == []


def test_a_question_meets_only_entries_of_its_collections(public: Collection, internal: Collection) -> None:
    entry("obiegówka", collection=internal)
    entry("legitymacja")
    text = "obiegówka i legitymacja"
    assert [e.text for e in find_entities(text, collection_ids=[public.pk])] == ["legitymacja"]
    assert [e.text for e in find_entities(text, collection_ids=[internal.pk])] == ["obiegówka", "legitymacja"]
