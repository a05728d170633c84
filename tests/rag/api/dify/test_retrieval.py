"""Dify's external knowledge, by its documentation (docs.dify.ai, External Knowledge API, 2026) and what it calls."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ingestion.models import Collection
from ingestion.services.api_keys import create_key
from rag.models import Assistant
from tests.conftest import index_text, make_internal, make_public, make_restricted
from tests.kept import Kept

QUERY = "Ile dni urlopu wypoczynkowego?"


def write_documents() -> None:
    for collection, days in ((make_public(), 20), (make_internal(), 21), (make_restricted(), 26)):
        text = f"# Urlopy\n\nPracownikowi przysługuje urlop wypoczynkowy w wymiarze {days} dni ({collection.slug}).\n"
        index_text(collection, text, name="urlopy.md", category="regulamin", tags=["kadry"], metadata={"rok": 2026})
    index_text(make_public(), "# Psy\n\nOpłata za psa wynosi 120 zł.\n", name="psy.md", metadata={"sygnatura": "P-1"})


@pytest.fixture(scope="module")
def kept_documents(kept_rows: Kept) -> None:
    kept_rows.make(write_documents)


@pytest.fixture(autouse=True)
def documents(kept_documents: None, db: None) -> None:
    """Those of the module."""


def key(*scopes: str, only: str = "") -> str:
    owner = User.objects.get_or_create(username="dify")[0]
    chosen = Collection.objects.filter(slug=only) if only else []
    return create_key(name="dify", owner=owner, scopes=scopes or ("search",), collections=chosen)[1]


def retrieve(secret: str = "", **body: Any) -> Any:
    """What Dify sends: `external_knowledge_service.fetch_external_knowledge_retrieval`."""
    asked = {
        "knowledge_id": "publiczna",
        "query": QUERY,
        "retrieval_setting": {"top_k": 5, "score_threshold": 0.0},
        **body,
    }
    client = Client(headers={"authorization": f"Bearer {secret or key()}"})
    return client.post("/dify/retrieval", asked, content_type="application/json")


def where(*conditions: tuple[Any, ...], by: str = "and") -> dict[str, Any]:
    names = ("name", "comparison_operator", "value")
    return {
        "metadata_condition": {
            "logical_operator": by,
            "conditions": [dict(zip(names, one, strict=False)) for one in conditions],
        }
    }


def titles(answer: Any) -> set[str]:
    assert answer.status_code == 200, answer.content
    return {record["title"] for record in answer.json()["records"]}


def refusal(answer: Any) -> tuple[int, int]:
    problem = answer.json()
    assert set(problem) == {"error_code", "error_msg"}
    assert problem["error_msg"]
    return answer.status_code, problem["error_code"]


def test_a_record_has_the_text_its_score_its_title_and_what_is_known_of_it() -> None:
    record = retrieve().json()["records"][0]
    assert set(record) == {"content", "score", "title", "metadata"}
    assert "20 dni" in record["content"]
    assert 0 < record["score"] <= 1
    assert record["title"] == "Urlopy"
    assert record["metadata"]["url"].startswith("http://testserver/documents/")
    assert record["metadata"]["category"] == "regulamin"
    assert record["metadata"]["tags"] == ["kadry"]
    assert None not in record["metadata"].values()


def test_no_more_records_come_than_are_wanted_and_none_below_the_threshold() -> None:
    every = retrieve(query="urlop opłata").json()["records"]
    assert len(every) == 2
    assert (
        len(retrieve(query="urlop opłata", retrieval_setting={"top_k": 1, "score_threshold": 0.0}).json()["records"])
        == 1
    )
    scores = sorted(record["score"] for record in every)
    assert scores[0] < scores[1]
    narrow = retrieve(query="urlop opłata", retrieval_setting={"top_k": 5, "score_threshold": scores[1]})
    assert [record["score"] for record in narrow.json()["records"]] == [scores[1]]
    assert retrieve(query="qwertyuiop").json() == {"records": []}


def test_knowledge_is_a_collection_or_an_assistant() -> None:
    assistant = Assistant.objects.create(slug="pomocnik", name="Pomocnik")
    assistant.collections.set(Collection.objects.filter(slug__in=["publiczna", "wewnetrzna", "poufna"]))
    found = retrieve(knowledge_id="pomocnik").json()["records"]
    assert {record["metadata"]["collection"] for record in found} == {"publiczna", "wewnetrzna"}


@pytest.mark.parametrize("knowledge", ["poufna", "nie-ma"])
def test_hidden_knowledge_is_as_unknown_as_any(knowledge: str) -> None:
    assert refusal(retrieve(knowledge_id=knowledge)) == (404, 2001)


def test_a_key_for_one_collection_opens_no_other() -> None:
    bound = key("search", only="wewnetrzna")
    assert refusal(retrieve(bound, knowledge_id="publiczna")) == (404, 2001)
    (record,) = retrieve(bound, knowledge_id="wewnetrzna").json()["records"]
    assert "21 dni" in record["content"]


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic ZGlmeTpk", "kt_bez_slowa"])
def test_a_malformed_header_is_1001(header: str) -> None:
    client = Client(headers={"authorization": header} if header else {})
    assert refusal(client.post("/dify/retrieval", {}, content_type="application/json")) == (403, 1001)


def test_a_key_that_does_not_fit_is_1002() -> None:
    assert refusal(retrieve("kt_obcy")) == (403, 1002)
    assert refusal(retrieve(key("ask"))) == (403, 1002)


def test_a_connection_is_set_up_by_a_request_without_a_body() -> None:
    """Dify posts the header alone and takes 403, 404 and 502 for a failure (`check_endpoint_and_api_key`)."""
    answer = Client(headers={"authorization": f"Bearer {key()}"}).post("/dify/retrieval", content_type="")
    assert answer.status_code not in (403, 404, 502)
    assert refusal(Client(headers={"authorization": "Bearer kt_obcy"}).post("/dify/retrieval", content_type="")) == (
        403,
        1002,
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"query": ""},
        {"retrieval_setting": {"top_k": 0, "score_threshold": 0.5}},
        {"retrieval_setting": {"top_k": 5, "score_threshold": 1.5}},
        {"retrieval_setting": None},
        where(("rok", "resembles", "2026")),
        where(("rok", "is", 2026), by="xor"),
        where(("category", "is", None)),
    ],
)
def test_what_is_wrong_with_a_request_is_said(wrong: dict[str, Any]) -> None:
    assert refusal(retrieve(**wrong)) == (400, 400)


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        (where(("category", "is", "regulamin")), {"Urlopy"}),
        (where(("category", "in", ["regulamin", "uchwała"])), {"Urlopy"}),
        (where(("tags", "contains", "kadry")), {"Urlopy"}),
        (where(("rok", "=", "2026")), {"Urlopy"}),
        (where(("rok", "=", 2025)), set()),
        (where(("sygnatura", "is", "P-1")), {"Psy"}),
        (where(("category", "is", "regulamin"), ("sygnatura", "is", "P-1")), set()),
        (where(("category", "is", "uchwała"), ("category", "is", "regulamin"), by="or"), {"Urlopy"}),
        (where(("modified", "after", "2020-01-01"), ("modified", "before", "2100-01-01")), {"Urlopy", "Psy"}),
        (where(("modified", "before", "2020-01-01")), set()),
        (where(), {"Urlopy", "Psy"}),
        ({"metadata_condition": {"logical_operator": "and", "conditions": None}}, {"Urlopy", "Psy"}),
        ({"metadata_condition": None}, {"Urlopy", "Psy"}),
    ],
)
def test_conditions_that_filters_can_say_are_searched_by(condition: dict[str, Any], found: set[str]) -> None:
    assert titles(retrieve(query="urlop opłata", **condition)) == found


@pytest.mark.parametrize(
    "conditions",
    [
        (("category", "is", "a"), ("rok", "=", 1)),
        (("tags", "contains", "a"), ("tags", "contains", "b")),
        (("rok", "is", 1), ("rok", "is", 2)),
    ],
)
def test_an_or_that_filters_cannot_say_is_refused(conditions: tuple[tuple[Any, ...], ...]) -> None:
    assert refusal(retrieve(**where(*conditions, by="or"))) == (400, 400)


def test_one_field_is_asked_for_once() -> None:
    for name in ("category", "rok"):
        assert refusal(retrieve(**where((name, "is", "a"), (name, "is", "b")))) == (400, 400)
