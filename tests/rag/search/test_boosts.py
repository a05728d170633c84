from datetime import date, timedelta

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone, translation
from django.utils.formats import date_format

from ingestion.models import Collection, Synonym, SynonymGroup
from ingestion.services.synonyms import save_synonym
from rag.presets import preset
from rag.search.reasons import exact_reasons
from rag.types import Boost, Filters, Passage, SearchResult
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept
from tests.rag.search.conftest import Search


def first(result: SearchResult) -> str:
    return result.passages[0].title


def boosts(result: SearchResult, title: str) -> dict[str, Boost]:
    passage = next(passage for passage in result.passages if passage.title.partition(" (w mocy ")[0] == title)
    return {boost.name: boost for boost in passage.explanation.boosts}


@pytest.fixture(scope="module")
def kept_equals(kept_rows: Kept) -> None:
    """Three documents that a search for "opłata za psa" cannot tell apart, and one it can."""
    with kept_rows.writing():
        public = make_public()
        today = timezone.localdate()
        text = "Opłata za psa wynosi tyle, ile uchwaliła rada."
        index_text(
            public, text, name="a.txt", title="Aaa", category="aktualności", valid_from=today - timedelta(days=1460)
        )
        index_text(public, text, name="b.txt", title="Bbb", category="uchwały", valid_from=today)
        index_text(
            public, f"# Ccc\n\n{text}", name="c.md", title="Ccc", tags=["pies"], valid_from=today - timedelta(days=365)
        )
        index_text(public, "Pies to zwierzę.", name="d.txt", title="Ddd", valid_from=today - timedelta(days=3000))


@pytest.fixture
def equals(kept_equals: None, db: None) -> None:
    """What `kept_equals` wrote."""


@pytest.mark.usefixtures("equals")
class TestBoosts:
    def test_a_newer_document_comes_first_and_the_lift_halves_with_a_year(self, searching: Search) -> None:
        result = searching("opłata za psa", boosts={"recency": 0.1})
        assert first(result) == "Bbb"
        assert boosts(result, "Bbb")["recency"].value == pytest.approx(0.1)
        assert boosts(result, "Ccc")["recency"].value == pytest.approx(0.05)
        assert boosts(result, "Aaa")["recency"].value == pytest.approx(0.1 / 16, rel=0.01)

    def test_a_document_that_is_not_yet_in_force_is_lifted_no_more_than_one_of_today(
        self, public: Collection, index: AddDocument, searching: Search
    ) -> None:
        coming = timezone.localdate() + timedelta(days=1460)
        index(public, "Opłata za psa wynosi tyle, ile uchwaliła rada.", name="e.txt", title="Eee", valid_from=coming)
        result = searching("opłata za psa", boosts={"recency": 0.1}, filters=Filters(include_expired=True))
        assert boosts(result, "Eee")["recency"].value == boosts(result, "Bbb")["recency"].value

    def test_a_preferred_category_comes_first(self, searching: Search) -> None:
        result = searching("opłata za psa", boosts={"category": {"aktualności": 0.2, "uchwały": 0.05}})
        assert first(result) == "Aaa"
        assert {title: boosts(result, title)["category"].value for title in ("Aaa", "Bbb")} == {
            "Aaa": 0.2,
            "Bbb": 0.05,
        }

    def test_a_preferred_type_comes_first(self, searching: Search) -> None:
        assert first(searching("opłata za psa", boosts={"document_type": {"text/markdown": 0.1}})) == "Ccc"

    def test_a_tag_that_the_question_names_in_another_inflection_lifts(self, searching: Search) -> None:
        result = searching("opłata za psa", boosts={"keywords": 0.3})
        assert first(result) == "Ccc"
        assert 0 < boosts(result, "Ccc")["keywords"].value < 0.3  # one of two words
        assert "psa" in boosts(result, "Ccc")["keywords"].reason

    def test_the_wording_of_the_question_lifts_by_its_share(self, searching: Search) -> None:
        lifts = boosts(searching("opłata za psa rasowego", boosts={"phrase": 0.1}), "Aaa")
        assert lifts["phrase"].value == pytest.approx(0.075)
        assert "opłata za psa" in lifts["phrase"].reason

    def test_lifts_never_change_relevance(self, searching: Search) -> None:
        plain = {passage.chunk_id: passage.relevance for passage in searching("opłata za psa").passages}
        lifted = searching("opłata za psa", boosts={"recency": 0.3, "keywords": 0.15}).passages
        assert {passage.chunk_id: passage.relevance for passage in lifted} == plain

    def test_scores_fall_from_first_to_last_after_lifting(self, searching: Search) -> None:
        scores = [passage.score for passage in searching("opłata za psa", boosts={"recency": 0.3}).passages]
        assert scores == sorted(scores, reverse=True)
        assert len(set(scores)) > 1

    def test_a_mix_may_put_recency_before_similarity(self, searching: Search) -> None:
        mix = {"similarity": 0.1, "recency": 0.9}
        assert first(searching("pies", boosts={"recency": 0.1})) == "Ddd"
        assert first(searching("pies", boosts=mix)) == "Bbb"

    def test_lifts_are_told_in_words(self, searching: Search) -> None:
        with translation.override("en"):
            result = searching("opłata za psa", boosts={"recency": 0.1})
            said = exact_reasons(result.passages[0].explanation)
            assert f"Newer document, of {date_format(timezone.localdate())}: +0.10." in said

    def test_without_lifts_nothing_is_noted(self, searching: Search) -> None:
        assert "boosts" not in {entry.stage for entry in searching("opłata za psa").trace}


SHAPES = {
    "procedure": "Aby złożyć wniosek o kartę:\n\n1. Pobierz wniosek.\n2. Wypełnij wniosek.\n3. Wyślij wniosek.",
    "comparison": "Wniosek o kartę:\n\n| karta | cena |\n|---|---|\n| mała | tania |\n| duża | droga |",
    "technical": "Wniosek o kartę wysyła `POST /karty` z polem user_id.",
    "performance": "Wniosek o kartę zapisuje się w 120 ms.",
}


@pytest.mark.parametrize("intent", SHAPES)
def test_a_passage_of_the_shape_that_the_question_wants_is_lifted(
    public: Collection, index: AddDocument, searching: Search, intent: str
) -> None:
    index(public, SHAPES[intent], name="a.md", title="Kształt")
    index(public, "Wniosek o kartę opisuje regulamin.", name="b.md", title="Proza")
    result = searching("wniosek o kartę", boosts={"intent": 0.1}, intent=intent)
    assert boosts(result, "Kształt")["intent"].value == 0.1
    assert boosts(result, "Proza") == {}
    assert boosts(searching("wniosek o kartę", boosts={"intent": 0.1}, intent="factoid"), "Kształt") == {}


def test_no_lift_puts_a_synonym_above_the_typed_words(
    public: Collection, index: AddDocument, searching: Search
) -> None:
    group = SynonymGroup.objects.create(name="auto")
    for word in ("auto", "samochód"):
        save_synonym(synonym=Synonym(group=group, text=word))
    index(public, "Auto służbowe rezerwuje się w sekretariacie.", name="a.txt", title="Typed")
    index(public, "Samochód służbowy? Samochód!", name="b.txt", title="Foreign", category="ważne")
    found: list[Passage] = list(searching("auto", boosts={"category": {"ważne": 1.0}}).passages)
    assert [passage.title for passage in found] == ["Typed", "Foreign"]


@pytest.mark.parametrize(
    ("parts", "named"),
    [
        ({"nowosc": 0.1}, "boosts.nowosc; known: alike, category"),
        ({"recency": 2}, "boosts.recency"),
        ({"category": {"x": -1}}, "boosts.category.x"),
    ],
)
def test_an_unknown_or_impossible_lift_is_refused_by_name(parts: dict[str, object], named: str) -> None:
    with translation.override("en"), pytest.raises(ImproperlyConfigured, match=named):
        preset("offline", {"boosts": parts})


def test_a_document_is_dated_by_the_day_it_came_into_force(
    public: Collection, index: AddDocument, searching: Search
) -> None:
    index(public, "Stawka podatku.", name="a.txt", title="Dawna", valid_from=date(2020, 5, 1))
    index(public, "Stawka podatku.", name="b.txt", title="Bez daty")
    dated = {passage.title: passage.dated for passage in searching("stawka podatku").passages}
    assert dated == {"Dawna": date(2020, 5, 1), "Bez daty": timezone.localdate()}
