from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.utils import timezone

from ingestion.jobs import run_job
from ingestion.models import Collection
from ingestion.services.indexing import queue_indexing
from rag.errors import InvalidFilter, InvalidQuestion
from rag.search.reasons import exact_reasons
from rag.services.search import search_passages
from rag.types import Filters, SearchResult
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept


def find(query: str, *, top_k: int = 10, **filters: object) -> SearchResult:
    return search_passages(query=query, viewer=AnonymousUser(), filters=Filters(**filters), top_k=top_k)  # type: ignore[arg-type]


def titles(query: str, **filters: object) -> list[str]:
    return [passage.title for passage in find(query, **filters).passages]


def write_library() -> None:
    public = make_public()
    today = timezone.localdate()
    index_text(
        public,
        "Pracownikowi przysługuje urlop wypoczynkowy. " * 3,
        name="urlop.txt",
        title="Urlopy",
        category="regulamin",
        tags=["kadry", "urlop"],
    )
    index_text(
        public,
        "Ślimaki i świerszcze można trzymać w domu po zgłoszeniu.",
        name="zolwie.txt",
        title="Zwierzęta",
        tags=["dom"],
    )
    index_text(public, "# Hasła\n\nHasło do VPN zmienia się co 90 dni.", name="vpn.md", title="VPN", tags=["it"])
    index_text(
        public,
        "Stary regulamin: hasło ma 8 znaków.",
        name="stare.txt",
        title="Hasła 2020",
        valid_to=today - timedelta(days=1),
    )
    index_text(
        public,
        "Nowy regulamin hasła obowiązuje od jutra.",
        name="przyszle.txt",
        title="Hasła 2030",
        valid_from=today + timedelta(days=1),
    )


@pytest.fixture(scope="module")
def kept_library(kept_rows: Kept) -> None:
    kept_rows.make(write_library)


@pytest.fixture
def library(kept_library: None, db: None) -> None:
    """What `write_library` wrote."""


@pytest.mark.usefixtures("library")
class TestSearch:
    def test_another_inflection_finds_the_document(self) -> None:
        assert titles("urlopami pracowników")[0] == "Urlopy"

    def test_a_question_without_diacritics_finds_words_that_have_them(self) -> None:
        assert titles("slimaki")[0] == "Zwierzęta"
        assert titles("slimakom")[0] == "Zwierzęta"

    def test_a_misspelt_word_is_corrected_and_said_so(self) -> None:
        result = find("wypoczynkwy")
        assert result.passages[0].title == "Urlopy"
        assert [(c.typed, c.searched) for c in result.corrections] == [("wypoczynkwy", "wypoczynkowy")]

    def test_a_quoted_word_is_never_corrected(self) -> None:
        assert find('"wypoczynkwy"').corrections == ()

    def test_documents_out_of_force_are_left_out_unless_asked_for(self) -> None:
        assert titles("hasło")[0] == "VPN"
        assert not any(title.startswith("Hasła") for title in titles("hasło"))
        found = {title.partition(" (w mocy ")[0] for title in titles("hasło", include_expired=True)}
        assert found >= {"VPN", "Hasła 2020", "Hasła 2030"}
        assert any(title.startswith("Hasła 2020 (w mocy ") for title in titles("hasło", valid_on=date(2020, 5, 1)))

    @pytest.mark.parametrize(
        ("filters", "expected"),
        [
            ({"tags": ("kadry", "urlop")}, {"Urlopy"}),
            ({"categories": ("regulamin",)}, {"Urlopy"}),
            ({"media_types": ("text/markdown",)}, {"VPN"}),
            ({"modified_from": date(2099, 1, 1)}, set()),
            ({"modified_to": date(2099, 1, 1), "tags": ("it",)}, {"VPN"}),
        ],
    )
    def test_filters_narrow_both_legs(self, filters: dict[str, object], expected: set[str]) -> None:
        assert set(titles("urlop hasło ślimak", **filters)) == expected

    def test_a_phrase_must_stand_as_quoted(self) -> None:
        assert titles('"urlop wypoczynkowy"') == ["Urlopy"]
        assert titles('"wypoczynkowe urlopy" ślimaków')[0] in {"Urlopy", "Zwierzęta"}  # found by its words then

    def test_an_excluded_word_excludes_its_inflections(self) -> None:
        assert "Zwierzęta" not in titles("urlop ślimak -świerszcza")

    def test_the_explanation_names_the_form_that_was_found(self) -> None:
        passage = find("ślimak").passages[0]
        match = passage.explanation.words[0]
        assert (match.typed, match.lemma, match.forms) == ("ślimak", "ślimak", ("ślimaki",))
        assert match.contribution == pytest.approx(passage.explanation.lexical_score, abs=1e-6)
        assert any("ślimaki" in sentence for sentence in exact_reasons(passage.explanation))

    def test_relevance_is_a_share_and_falls_with_missing_words(self) -> None:
        full, half = find("urlop wypoczynkowy").passages[0], find("urlop kosmiczny marsjański").passages[0]
        assert 0 <= half.relevance < full.relevance <= 1


@pytest.mark.django_db
class TestBadInput:
    @pytest.mark.parametrize("query", ["", "   ", "x" * 2001, "\x00"])
    def test_an_impossible_question_is_refused(self, query: str) -> None:
        with pytest.raises(InvalidQuestion):
            find(query)

    @pytest.mark.parametrize("query", ["?", "-", '"', "\\", "%s %(x)s", "' OR 1=1 --", "((", '"a(b"', "🙂"])
    def test_odd_characters_are_just_characters(self, query: str) -> None:
        assert find(query).passages == ()

    def test_an_unknown_collection_is_named(self) -> None:
        with pytest.raises(InvalidFilter, match="nie-ma"):
            find("urlop", collections=("nie-ma",))


def test_a_document_indexed_anew_between_finding_and_reading_is_found(public: Collection, index: AddDocument) -> None:
    document = index(public, "Wydział wydaje zaświadczenia o niezaleganiu.", title="Zaświadczenia")
    times: list[str] = []

    def meanwhile(execute: Any, sql: str, *rest: Any) -> Any:
        if "LEFT JOIN ingestion_chunkwords" in sql:
            times.append(sql)
            if len(times) == 1:
                run_job(str(queue_indexing(document, enqueue=False).pk))
        return execute(sql, *rest)

    with connection.execute_wrapper(meanwhile):
        assert titles("zaświadczenie o niezaleganiu") == ["Zaświadczenia"]
    assert len(times) == 2


def test_an_excluded_word_excludes_no_other_word_that_is_written_like_its_dictionary_form(
    public: Collection, index: AddDocument, anonymous: AnonymousUser
) -> None:
    """Without "długie", the lemma of which is "długi": but "długi" that somebody owes stay."""
    index(public, "Umowa na długie lata.", name="a.txt", title="Lata")
    index(public, "Umowa o długi spadkowe.", name="b.txt", title="Spadek")
    assert [passage.title for passage in search_passages(query="umowa -długie", viewer=anonymous).passages] == [
        "Spadek"
    ]
