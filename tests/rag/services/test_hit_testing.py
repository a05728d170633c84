"""One question in two configurations."""

import pytest
from django.contrib.auth.models import AnonymousUser, User

from rag.errors import InvalidFilter, InvalidQuestion, UnknownAssistant, UnknownPreset
from rag.services.hit_testing import Configuration, placings, try_configuration, warm_up
from rag.types import Filters
from tests.conftest import index_text, make_internal, make_public
from tests.kept import Kept

QUESTION = "karta parkingowa mieszkańca"


@pytest.fixture(scope="module")
def kept_documents(kept_rows: Kept) -> None:
    with kept_rows.writing():
        public = make_public()
        internal = make_internal()
        index_text(public, "Karta parkingowa mieszkańca kosztuje 30 zł.", name="karta.txt")
        index_text(public, "Opłata parkingowa w strefie to 4 zł.", name="strefa.txt", category="opłaty")
        index_text(internal, "Karta parkingowa mieszkańca: instrukcja dla urzędnika.", name="instrukcja.txt")


@pytest.fixture
def documents(kept_documents: None, db: None) -> None:
    """What `kept_documents` wrote."""


@pytest.mark.usefixtures("documents")
def test_a_configuration_searches_what_its_reader_may_read(anonymous: AnonymousUser, employee: User) -> None:
    open_to_all, to_staff = (
        {passage.title for passage in try_configuration(QUESTION, Configuration(), viewer=viewer).shown}
        for viewer in (anonymous, employee)
    )
    assert len(to_staff) == len(open_to_all) + 1


@pytest.mark.usefixtures("documents")
def test_parts_and_filters_are_the_configurations_own(anonymous: AnonymousUser) -> None:
    configuration = Configuration(
        preset="offline", parts={"reranker": "none", "neighbours": 1}, filters=Filters(categories=("opłaty",))
    )
    tried = try_configuration(QUESTION, configuration, viewer=anonymous)
    assert (tried.preset.reranker, tried.preset.neighbours) == ("none", 1)
    assert [passage.category for passage in tried.shown] == ["opłaty"]
    assert tried.milliseconds > 0
    assert "lexical" in tried.result.latency


@pytest.mark.usefixtures("documents")
def test_a_passage_says_where_it_stands_in_the_other_configuration(anonymous: AnonymousUser, employee: User) -> None:
    fewer = try_configuration(QUESTION, Configuration(), viewer=anonymous)
    more = try_configuration(QUESTION, Configuration(), viewer=employee)
    ranks = {placing.passage.chunk_id: placing.rank for placing in placings(more, fewer)}
    for placing in placings(fewer, more):
        assert placing.other == ranks[placing.passage.chunk_id]
        assert placing.climbed == placing.other - placing.rank == -placing.fallen
    assert [placing.other for placing in placings(more, fewer)].count(None) == 1
    assert {placing.other for placing in placings(more, None)} == {None}


@pytest.mark.usefixtures("documents")
@pytest.mark.parametrize(
    ("question", "configuration", "error"),
    [
        ("", Configuration(), InvalidQuestion),
        (QUESTION, Configuration(preset="nie ma"), UnknownPreset),
        (QUESTION, Configuration(parts={"wymyślona": 1}), UnknownPreset),
        (QUESTION, Configuration(parts={"neighbours": 99}), UnknownPreset),
        (QUESTION, Configuration(parts={"model": "drogi"}), UnknownPreset),
        (QUESTION, Configuration(assistant="nie-ma"), UnknownAssistant),
        (QUESTION, Configuration(filters=Filters(collections=("wewnetrzna",))), InvalidFilter),
    ],
)
def test_what_cannot_be_searched_says_why(
    anonymous: AnonymousUser, question: str, configuration: Configuration, error: type[Exception]
) -> None:
    with pytest.raises(error):
        try_configuration(question, configuration, viewer=anonymous)


def test_warming_up_needs_no_documents(db: None, anonymous: AnonymousUser) -> None:
    warm_up(QUESTION, viewer=anonymous)
