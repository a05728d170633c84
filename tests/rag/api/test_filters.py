"""Filters over HTTP: in the body, in the address, before a stream; wrong ones are named."""

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from ingestion.models import Document, Source
from tests.ingestion.api.library import Library, ready_document

QUERY = "urlop wypoczynkowy"


@pytest.fixture
def marked(library: Library) -> Document:
    """The one public document that every filter of `FILTERS` lets pass."""
    collection = library.collections["public"]
    document = ready_document(collection, "Urlop wypoczynkowy nauczyciela.\n", "nauczyciel.md")
    Document.objects.filter(pk=document.pk).update(
        source=Source.objects.create(collection=collection, name="Portal"),
        language="en",
        category="oświata",
        tags=["szkoła", "urlop"],
        version="3.1",
        metadata={"sprawa": {"numer": 7, "osoby": ["dyrektor", "nauczyciel"]}},
    )
    return document


FILTERS: list[dict[str, Any]] = [
    {"sources": ["Portal"]},
    {"languages": ["en"]},
    {"categories": ["oświata", "inna"]},
    {"tags": ["urlop", "szkoła"]},
    {"versions": ["3.1"]},
    {"metadata": {"sprawa": {"osoby": ["nauczyciel"]}}},
    {"metadata": {"sprawa": {"numer": 7}}, "languages": ["en"], "collections": ["public"]},
]


def search(client: Client, filters: object) -> HttpResponse:
    return client.post("/api/search", {"query": QUERY, "filters": filters}, content_type="application/json")


def documents(response: HttpResponse) -> set[int]:
    assert response.status_code == 200, response.content
    return {passage["document_id"] for passage in json.loads(response.content)["passages"]}


@pytest.mark.parametrize("filters", FILTERS, ids=str)
def test_body_and_address_narrow_alike(library: Library, marked: Document, filters: dict[str, Any]) -> None:
    client = library.client("anonymous")
    address = {name: json.dumps(v) if isinstance(v, dict) else v for name, v in filters.items()}
    assert documents(search(client, filters)) == {marked.pk}
    assert documents(client.get("/api/search", {"query": QUERY, **address})) == {marked.pk}
    asked = client.post("/api/ask", {"question": QUERY, "filters": filters}, content_type="application/json")
    assert {passage["document_id"] for passage in asked.json()["passages"]} == {marked.pk}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("metadata", []),
        ("metadata", None),
        ("metadata", "{"),
        ("metadata", "[" * 100_000),
        ("metadata", '{"a": NaN}'),
        ("metadata", {"a": {"b": "\x00"}}),
        ("metadata", {"a": {"a": {"a": {"a": {"a": {"a": {}}}}}}}),
        ("tags", "urlop"),
        ("tags", ["\x00"]),
        ("languages", [""]),
        ("versions", ["1"] * 101),
        ("valid_on", "wczoraj"),
    ],
)
def test_a_wrong_filter_is_named(library: Library, name: str, value: object) -> None:
    client = library.client("anonymous")
    for response in (
        search(client, {name: value}),
        client.post(
            "/api/ask", {"question": QUERY, "filters": {name: value}, "stream": True}, content_type="application/json"
        ),
    ):
        assert response.status_code == 400
        assert response.headers["Content-Type"] == "application/problem+json"
        problem = json.loads(response.content)
        assert {error["field"].split(".")[1] for error in problem["errors"]} == {name}


def test_an_unknown_and_a_hidden_source_are_refused_alike(library: Library) -> None:
    Source.objects.create(collection=library.collections["restricted"], name="Tajne")
    client = library.client("anonymous")
    answers = [json.loads(search(client, {"sources": [name]}).content) for name in ("Tajne", "Niema")]
    assert [answer["code"] for answer in answers] == ["invalid_filter"] * 2
    assert answers[0]["detail"].replace("Tajne", "Niema") == answers[1]["detail"]
    assert documents(search(library.client("superuser"), {"sources": ["Tajne"]})) == set()


def test_the_schema_says_that_metadata_is_an_object_and_in_an_address_a_text(library: Library) -> None:
    schema = library.client("anonymous").get("/api/schema/", headers={"Accept": "application/vnd.oai.openapi+json"})
    described = json.loads(schema.content)
    assert described["components"]["schemas"]["Filters"]["properties"]["metadata"]["type"] == "object"
    parameters = {p["name"]: p["schema"] for p in described["paths"]["/api/search"]["get"]["parameters"]}
    assert parameters["metadata"]["type"] == "string"
    assert parameters["tags"]["type"] == "array"
