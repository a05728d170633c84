"""The lexicon in a question: which of its groups are meant, and which words they stand for."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import AnonymousUser

from ingestion.models import Collection, LexiconPack
from ingestion.services.lexicon.packs import read_pack
from ingestion.services.lexicon.upgrade import load_packs
from rag.search.query.analysis import analyse_query
from rag.search.query.expanded_query import analysed_and_expanded
from rag.search.query.expansion import expand
from rag.search.reasons import exact_reasons
from rag.services.search import search_passages
from tests.conftest import AddDocument

Load = Callable[..., None]


@pytest.fixture
def lexicon(db: None, tmp_path: Path) -> Load:
    def load(*lines: str) -> None:
        path = tmp_path / "kadry.txt"
        path.write_text("# Kadry\n" + "\n".join(lines), encoding="utf-8")
        load_packs([read_pack(path)])

    return load


def found(question: str, collection: Collection) -> list[tuple[str, str]]:
    query = analyse_query(question, [collection.pk])
    return [(expansion.typed, expansion.text) for expansion in expand(query, collections=[collection])]


@pytest.mark.parametrize(
    "question", ["zmarła babcia", "babcia mi zmarła", "Zmarła mi wczoraj babcia.", "zmarla mi babcia"]
)
def test_a_phrase_is_found_in_any_order_and_apart(public: Collection, lexicon: Load, question: str) -> None:
    lexicon("zmarła babcia > urlop okolicznościowy")
    assert [text for _typed, text in found(question, public)] == ["urlop okolicznościowy"]


def test_words_far_apart_are_no_phrase(public: Collection, lexicon: Load) -> None:
    lexicon("zmarła babcia > urlop okolicznościowy")
    assert found("zmarła sąsiadka, której mąż kupił dom, a babcia mieszka z nami", public) == []


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Nie skasowałem biletu, co teraz?", "opłata dodatkowa"),
        ("Skasowałem nie ten bilet, co teraz?", "usunięcie"),
        ("To nie mój bilet, a skasowałem", "usunięcie"),
    ],
)
def test_nothing_is_denied_but_what_follows(public: Collection, lexicon: Load, question: str, text: str) -> None:
    lexicon("skasować > usunięcie", "nie skasować > opłata dodatkowa")
    assert [other for _typed, other in found(question, public)] == [text]


def test_the_words_of_documents_do_not_lead_back(public: Collection, lexicon: Load) -> None:
    lexicon("komp; pecet > komputer")
    assert found("komputer", public) == []
    assert found("pecet", public) == [("pecet", "komputer")]


@pytest.mark.parametrize(("question", "count"), [("kasa w banku", 0), ("ile kasy dostanę", 1), ("kasa fiskalna", 0)])
def test_a_word_of_two_meanings_needs_its_context(public: Collection, lexicon: Load, question: str, count: int) -> None:
    lexicon("kasa [dostać, zwrot] > pieniądze")
    assert len(found(question, public)) == count


def test_the_longest_phrase_wins(public: Collection, lexicon: Load) -> None:
    lexicon("ślub > zawarcie małżeństwa", "urlop na ślub > urlop okolicznościowy")
    assert found("urlop na ślub", public) == [("urlop ślub", "urlop okolicznościowy")]


@pytest.mark.parametrize(("question", "count"), [("zapłacić na raty", 1), ("kolejne raty", 0), ("rozłożyć ratę", 0)])
def test_a_small_word_that_makes_the_phrase_is_asked_for(
    public: Collection, lexicon: Load, question: str, count: int
) -> None:
    lexicon("na raty > rozłożenie należności")
    assert len(found(question, public)) == count


@pytest.mark.parametrize("question", ["zepsuł się komp", "komp sie zepsuł", "co jak mi się komp zepsuje"])
def test_a_reflexive_verb_is_found_wherever_its_pronoun_stands(
    public: Collection, lexicon: Load, question: str
) -> None:
    lexicon("zepsuć się > awaria")
    assert [text for _typed, text in found(question, public)] == ["awaria"]


@pytest.mark.parametrize(("question", "count"), [("co robi MOS", 1), ("gdzie jest mos", 0), ("ile waży dmc", 1)])
def test_an_abbreviation_stands_in_capitals_unless_it_is_no_word(
    public: Collection, lexicon: Load, question: str, count: int
) -> None:
    lexicon("MOS = ośrodek socjoterapii", "DMC = masa całkowita", "mos > mosty")
    assert len([text for _typed, text in found(question, public) if text != "mosty"]) == count


def test_a_pack_that_is_switched_off_finds_nothing(public: Collection, lexicon: Load) -> None:
    lexicon("komp > komputer")
    LexiconPack.objects.update(enabled=False)
    assert found("komp", public) == []


def test_what_most_groups_have_goes_first(public: Collection, lexicon: Load) -> None:
    lexicon("kwit; druk > formularz", "kwit; świstek > zaświadczenie", "kwit; papierek > zaświadczenie")
    assert [text for _typed, text in found("kwit", public)] == ["zaświadczenie", "formularz"]


def test_a_pack_that_comes_anew_keeps_its_place(public: Collection, tmp_path: Path) -> None:
    """An upgrade finds in the order that a new installation does."""
    first, second = tmp_path / "finanse.txt", tmp_path / "kadry.txt"
    second.write_text("kwit > formularz", encoding="utf-8")
    for lines in ("kwit > rachunek", "kwit > rachunek\nforsa > pieniądze"):
        first.write_text(lines, encoding="utf-8")
        load_packs([read_pack(first), read_pack(second)])
    assert [text for _typed, text in found("kwit", public)] == ["rachunek", "formularz"]


@pytest.fixture
def offices(public: Collection, index: AddDocument, lexicon: Load) -> None:
    index(public, "Wynajem sal i odbiór odpadów z nieruchomości.", name="o.txt", title="Gospodarka odpadami")
    index(public, "Regulamin sal nie dotyczy wywozu mebli.", name="r.txt", title="Regulamin")
    lexicon("wywóz śmieci; śmieci > odpady; odbiór odpadów")


@pytest.mark.usefixtures("offices")
class TestSearch:
    def test_the_passage_in_the_words_of_documents_comes_first(self) -> None:
        passages = search_passages(query="wywóz śmieci", viewer=AnonymousUser()).passages
        assert [passage.title for passage in passages] == ["Gospodarka odpadami", "Regulamin"]

    def test_a_phrase_stands_for_all_the_words_that_were_typed(self, public: Collection) -> None:
        (first, *_) = analysed_and_expanded("wywóz śmieci", [public]).alternatives
        assert first.stands_for == (0, 1)

    def test_every_use_is_explained(self) -> None:
        (passage, *_) = search_passages(query="wywóz śmieci", viewer=AnonymousUser()).passages
        said = exact_reasons(passage.explanation)
        assert "wywóz śmieci → odbiór odpadów, ze słownika potocznego." in said
