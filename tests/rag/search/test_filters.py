"""What filters may say, in Python; what they find is in `test_dense.py`, how they come over HTTP in `tests/rag/api`."""

import math
from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from ingestion.models import Collection, Document, Source
from rag.errors import InvalidFilter
from rag.search.retrieval.filter_rules import MAX_DEPTH, MAX_METADATA, MAX_VALUES, filter_problems
from rag.services.ask import ask
from rag.services.ask_request import AskRequest
from rag.services.search import search_passages
from rag.types import Filters
from tests.conftest import AddDocument

ENDLESS: dict[str, Any] = {}
ENDLESS["a"] = ENDLESS


def nested(levels: int) -> dict[str, Any]:
    return {"a": nested(levels - 1)} if levels > 1 else {"a": 1}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tags", "kadry"),
        ("tags", (1,)),
        ("tags", ("",)),
        ("tags", (" ",)),
        ("categories", ("a\x00b",)),
        ("sources", ("\ud83d",)),
        ("versions", ("x" * 2001,)),
        ("languages", ("pl",) * (MAX_VALUES + 1)),
        ("collections", None),
        ("valid_on", "2026-01-01"),
        ("metadata", ["a"]),
        ("metadata", {"a": date(2026, 1, 1)}),
        ("metadata", {"a": math.nan}),
        ("metadata", {"a": [{"b": "\x00"}]}),
        ("metadata", {"\x00": 1}),
        ("metadata", {"a": ["\udc00"]}),
        ("metadata", {"a": "x" * MAX_METADATA}),
        ("metadata", nested(MAX_DEPTH + 1)),
        ("metadata", ENDLESS),
    ],
)
def test_a_wrong_value_is_refused_by_the_name_of_its_filter(name: str, value: Any) -> None:
    assert list(filter_problems(Filters(**{name: value}))) == [name]


def test_a_period_that_ends_before_it_begins_is_refused() -> None:
    wrong = Filters(modified_from=date(2026, 2, 1), modified_to=date(2026, 1, 1))
    assert list(filter_problems(wrong)) == ["modified_to"]


@pytest.mark.parametrize(
    "filters",
    [
        Filters(),
        Filters(tags=("ą" * 2000,), modified_from=date(2026, 1, 1), modified_to=date(2026, 1, 1)),
        Filters(metadata=nested(MAX_DEPTH)),
        Filters(metadata={"a": [None, True, 1, 1.5, "\\u0000", {"b": []}]}),
    ],
)
def test_what_is_possible_is_not_refused(filters: Filters) -> None:
    assert filter_problems(filters) == {}


@pytest.mark.django_db
class TestPython:
    def test_searching_and_asking_name_the_wrong_filter(self) -> None:
        wrong = Filters(metadata=nested(MAX_DEPTH + 1), tags=("",))
        with pytest.raises(InvalidFilter, match=r"tags: .* metadata: "):
            search_passages(query="urlop", viewer=AnonymousUser(), filters=wrong)
        failed = list(ask(AskRequest(question="Jaki urlop?", viewer=AnonymousUser(), filters=wrong, save=False)))[-1]
        assert failed.code == "invalid_filter"  # type: ignore[union-attr]

    def test_the_first_and_the_last_day_there_is_are_days(self, public: Collection, index: AddDocument) -> None:
        index(public, "Urlop wypoczynkowy.")
        ever = Filters(modified_from=date.min, modified_to=date.max, valid_on=date.max)
        assert search_passages(query="urlop", viewer=AnonymousUser(), filters=ever).passages


class TestSources:
    @pytest.fixture
    def documents(self, public: Collection, restricted: Collection, index: AddDocument) -> dict[str, Document]:
        found = {}
        for collection, name in ((public, "Biuletyn"), (public, "Portal"), (restricted, "Kadry")):
            source = Source.objects.create(collection=collection, name=name, location=name)
            found[name] = index(collection, "Urlop wypoczynkowy.", name=f"{name}.txt")
            Document.objects.filter(pk=found[name].pk).update(source=source)
        return found

    def titles(self, *sources: str) -> set[int]:
        result = search_passages(query="urlop", viewer=AnonymousUser(), filters=Filters(sources=sources))
        return {passage.document_id for passage in result.passages}

    def test_are_chosen_by_name_or_number(self, documents: dict[str, Document]) -> None:
        assert self.titles("Portal") == {documents["Portal"].pk}
        number = str(Source.objects.get(name="Biuletyn").pk)
        assert self.titles(number) == {documents["Biuletyn"].pk}
        assert self.titles(number, "Portal") == {documents["Biuletyn"].pk, documents["Portal"].pk}

    def test_hidden_ones_are_as_unknown_as_those_that_do_not_exist(self, documents: dict[str, Document]) -> None:
        hidden = Source.objects.get(name="Kadry")
        said = set()
        for asked in ("Kadry", str(hidden.pk), "Nic", "0"):
            with pytest.raises(InvalidFilter) as error:
                self.titles(asked)
            said.add(str(error.value).replace(asked, "X"))
        assert len(said) == 1


@pytest.mark.parametrize("zone", ["Etc/GMT-14", "Etc/GMT+12"])
def test_a_day_begins_and_ends_in_the_time_zone_of_the_installation(
    public: Collection, index: AddDocument, settings: Any, zone: str
) -> None:
    """At every moment one of these two zones has another day than UTC, as Warsaw has half an hour after midnight."""
    settings.TIME_ZONE = zone
    today = timezone.localdate()
    index(public, "Urlop wypoczynkowy.", valid_from=today, valid_to=today)
    assert search_passages(query="urlop", viewer=AnonymousUser()).passages
    for elsewhere in (today - timedelta(days=1), today + timedelta(days=1)):
        Document.objects.update(valid_from=elsewhere, valid_to=elsewhere)
        assert not search_passages(query="urlop", viewer=AnonymousUser()).passages
