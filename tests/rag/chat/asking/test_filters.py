"""What a reader may narrow a search to: values of readable documents, and never more is searched than was chosen."""

from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.test import Client

from ingestion.models import Collection, Document, Source
from ingestion.models.viewers import Viewer
from ingestion.text.dictionary_order import dictionary_order
from rag.chat.asking.chips import filter_chips, query_of
from rag.chat.asking.filter_groups import filter_groups
from rag.chat.asking.forms import QuestionForm
from rag.models import Exchange
from rag.selectors.filter_values import MOST_VALUES, filter_values
from rag.types import Filters

pytestmark = pytest.mark.django_db


def document(collection: Collection, name: str, **fields: Any) -> Document:
    return Document.objects.create(collection=collection, title=name, uri=name, status="ready", **fields)


def offered(viewer: Viewer, name: str) -> dict[str, int]:
    return {one.label: one.documents for one in filter_values(viewer) if one.filter == name}


def test_values_that_tell_documents_apart_are_offered_with_their_number(
    public: Collection, anonymous: AnonymousUser
) -> None:
    document(public, "a", category="Kadry", tags=["urlop", "urlop", "2025"], version="1")
    document(public, "b", category="Kadry", tags=["urlop"], version="1")
    document(public, "c", tags=["urlop"], language="en", version="1")
    assert offered(anonymous, "categories") == {"Kadry": 2}
    assert offered(anonymous, "tags") == {"2025": 1}
    assert offered(anonymous, "languages") == {"pl": 2, "en": 1}
    assert offered(anonymous, "versions") == {}, "all have the same"
    assert offered(anonymous, "collections") == {}


def test_what_a_viewer_may_not_read_is_neither_offered_nor_counted(
    public: Collection, restricted: Collection, anonymous: AnonymousUser, member: User
) -> None:
    secret = Source.objects.create(collection=restricted, name="Akta")
    document(public, "a", category="Jawne", tags=["urlop"])
    document(public, "b")
    document(
        restricted, "c", category="Tajne", tags=["urlop", "zwolnienia"], source=secret, version="7", language="de",
        metadata={"dział": "kadry"}, valid_from=date(2025, 1, 1),
    )  # fmt: skip
    document(restricted, "d", metadata={"dział": "kadry"})
    seen = {(one.filter, one.label, one.documents) for one in filter_values(anonymous)}
    assert seen == {("categories", "Jawne", 1), ("tags", "urlop", 1)}
    assert offered(member, "categories") == {"Jawne": 1, "Tajne": 1}
    assert offered(member, "tags") == {"urlop": 2, "zwolnienia": 1}
    assert offered(member, "sources") == {"Akta": 1}
    assert offered(member, "metadata") == {"kadry": 2}
    assert offered(member, "collections") == {"Publiczna": 2, "Poufna": 2}


def test_a_document_that_is_not_ready_is_not_counted(public: Collection, anonymous: AnonymousUser) -> None:
    document(public, "a", category="Kadry")
    waiting = document(public, "b", category="Płace")
    Document.objects.filter(pk=waiting.pk).update(status="queued")
    assert offered(anonymous, "categories") == {}


def test_a_change_of_documents_is_seen_at_once(public: Collection, anonymous: AnonymousUser) -> None:
    document(public, "a", category="Kadry")
    document(public, "b")
    assert offered(anonymous, "categories") == {"Kadry": 1}
    Document.objects.filter(uri="a").update(category="Płace")
    assert offered(anonymous, "categories") == {"Płace": 1}


def test_a_property_that_names_single_documents_is_no_choice(public: Collection, anonymous: AnonymousUser) -> None:
    for number in range(4):
        document(public, str(number), metadata={"numer": str(number), "pilne": number < 2, "lista": [1]})
    assert {one.key for one in filter_values(anonymous) if one.filter == "metadata"} == {"pilne"}


def test_the_commonest_values_are_offered_where_there_are_too_many(
    public: Collection, anonymous: AnonymousUser
) -> None:
    for number in range(MOST_VALUES + 5):
        document(public, str(number), tags=["wspólny"] * (number < 3) + [f"własny {number}"])
    tags = offered(anonymous, "tags")
    assert len(tags) == MOST_VALUES
    assert tags["wspólny"] == 3


def test_personal_data_that_a_collection_covers_are_no_value(
    public: Collection, anonymous: AnonymousUser, superuser: User
) -> None:
    Collection.objects.update(mask_personal_data=True)
    document(public, "a", category="jan.kowalski@urzad.example.pl")
    document(public, "b", category="Kadry")
    assert offered(anonymous, "categories") == {"Kadry": 1}
    assert set(offered(superuser, "categories")) == {"Kadry", "jan.kowalski@urzad.example.pl"}


def test_metadata_that_are_no_object_break_nothing(public: Collection, anonymous: AnonymousUser) -> None:
    document(public, "a", metadata=["lista"])
    document(public, "b", metadata={})
    assert offered(anonymous, "metadata") == {}


def test_values_stand_in_the_order_of_a_polish_dictionary(public: Collection, anonymous: AnonymousUser) -> None:
    for name in ("źródła", "Zasady", "ład", "lokale", "ćwiczenia", "Cennik"):
        document(public, name, category=name)
    (group,) = filter_groups(filter_values(anonymous), {})
    assert [option.label for option in group.options] == ["Cennik", "ćwiczenia", "lokale", "ład", "Zasady", "źródła"]
    assert sorted(["b", "2025", "ą", "a"], key=dictionary_order) == ["2025", "a", "ą", "b"]


def test_each_choice_is_a_chip_that_can_be_taken_away(public: Collection, anonymous: AnonymousUser) -> None:
    document(public, "a", category="Kadry", tags=["urlop", "staż"])
    document(public, "b")
    groups = filter_groups(filter_values(anonymous), {"categories": ["Kadry", "Nie ma"], "tags": ["urlop", "staż"]})
    chips = filter_chips(groups, Filters(valid_on=date(2025, 5, 1)))
    assert [(chip.name, chip.value) for chip in chips] == [
        ("categories", "Kadry"), ("tags", "staż"), ("tags", "urlop"), ("valid_on", "2025-05-01"),
    ]  # fmt: skip
    assert chips[2].address == "?categories=Kadry&tags=sta%C5%BC&valid_on=2025-05-01"
    assert query_of(chips) == "?categories=Kadry&tags=sta%C5%BC&tags=urlop&valid_on=2025-05-01"


def test_all_choices_reach_the_search(public: Collection, anonymous: AnonymousUser) -> None:
    source = Source.objects.create(collection=public, name="Intranet")
    document(
        public, "a", category="Kadry", tags=["urlop"], version="2", language="en", source=source,
        metadata={"dział": "kadry", "pilne": True},
    )  # fmt: skip
    document(public, "b", metadata={"dział": "kadry", "pilne": True})
    document(public, "c")
    values = {one.filter: one.value for one in filter_values(anonymous) if one.filter != "metadata"}
    fields = [one.value for one in filter_values(anonymous) if one.filter == "metadata"]
    form = QuestionForm(
        {
            **{name: [values[name]] for name in ("categories", "tags", "versions", "languages", "sources")},
            "metadata": ["", *fields], "valid_on": "2025-05-01", "modified_from": "2024-01-01", "include_expired": "on",
        },
        viewer=anonymous, session_key="",
    )  # fmt: skip
    assert form.is_valid(), form.errors
    assert form.filters == Filters(
        categories=("Kadry",), tags=("urlop",), versions=("2",), languages=("en",), sources=(str(source.pk),),
        metadata={"dział": "kadry", "pilne": True}, valid_on=date(2025, 5, 1), modified_from=date(2024, 1, 1),
    )  # fmt: skip


@pytest.mark.parametrize(
    "fields",
    [
        {"categories": "Nie ma"},
        {"categories": "\x00"},
        {"collections": "nie-ma"},
        {"collections": "\x00"},
        {"sources": "0"},
        {"metadata": '{"a": '},
        {"metadata": "[]"},
        {"valid_on": "jutro"},
        {"modified_from": "2025-02-01", "modified_to": "2025-01-01"},
        {"assistant": "nie-ma"},
        {"assistant": "\x00"},
    ],
)
def test_what_cannot_be_chosen_is_said_and_nothing_is_searched(
    client: Client, public: Collection, fields: dict[str, str]
) -> None:
    document(public, "a", category="Kadry")
    response = client.post("/ask/", {"question": "Ile dni urlopu?", **fields})
    assert response.status_code == 400
    assert 'class="failure"' in response.content.decode()
    assert not Exchange.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_stream_refuses_them_too(client: Client, public: Collection) -> None:
    response: Any = client.post("/ask/stream/", {"question": "Ile dni urlopu?", "categories": "Nie ma"})
    assert response.status_code == 400
    assert response.headers["Content-Type"].startswith("text/event-stream")


def test_the_filter_of_a_hidden_collection_is_as_unknown_as_any(
    client: Client, public: Collection, restricted: Collection
) -> None:
    document(restricted, "c", category="Tajne")
    hidden = client.post("/ask/", {"question": "Co?", "collections": restricted.slug}).content.decode()
    unknown = client.post("/ask/", {"question": "Co?", "collections": "nie-ma-tej"}).content.decode()
    assert restricted.name not in hidden
    message = hidden[hidden.index('class="failure"') :][:200].replace(restricted.slug, "nie-ma-tej")
    assert message[:150] in unknown


def test_what_was_chosen_stays_chosen_without_javascript(
    client: Client, public: Collection, internal: Collection
) -> None:
    document(public, "a", category="Kadry")
    document(public, "b")
    response = client.post("/ask/", {"question": "Ile dni urlopu?", "categories": "Kadry"})
    address = response.headers["Location"]
    assert "/?categories=Kadry#" in address
    page = client.get(address).content.decode()
    assert 'value="Kadry"' in page
    assert page.count('class="filter-chip"') == 1
    assert client.get("/?categories=Nie+ma").content.decode().count('class="filter-chip"') == 0
