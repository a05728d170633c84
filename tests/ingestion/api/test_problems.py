"""Every error is application/problem+json (RFC 9457)."""

import pytest
from django.http import HttpResponse

from tests.ingestion.api.library import Library

MEMBERS = {"type", "title", "status", "code", "detail", "remedy", "retryable"}


def problem(response: HttpResponse) -> dict:  # type: ignore[type-arg]
    assert response.headers["Content-Type"] == "application/problem+json"
    body = response.json()  # type: ignore[attr-defined]
    assert set(body) >= MEMBERS
    assert body["status"] == response.status_code
    assert body["type"] == f"urn:knowledgetree:problem:{body['code']}"
    return dict(body)


@pytest.mark.parametrize(
    ("method", "address", "status", "code"),
    [
        ("get", "/api/documents/999999", 404, "not_found"),
        ("get", "/api/documents?page=99", 404, "not_found"),
        ("get", "/api/documents?colour=red", 400, "invalid"),
        ("get", "/api/jobs", 403, "not_authenticated"),
        ("put", "/api/collections", 405, "method_not_allowed"),
        ("get", "/api/search", 400, "invalid"),
        ("get", "/api/search?query=urlop&colour=red", 400, "invalid_filter"),
        ("get", "/api/search?query=urlop&collections=restricted", 400, "invalid_filter"),
    ],
)
def test_errors_are_problems(library: Library, method: str, address: str, status: int, code: str) -> None:
    body = problem(getattr(library.client("anonymous"), method)(address))
    assert (body["status"], body["code"]) == (status, code)


def test_an_unknown_filter_names_the_known_ones(library: Library) -> None:
    body = problem(library.client("anonymous").get("/api/documents?colour=red"))
    assert body["errors"][0]["field"] == "colour"
    assert "collection, status, tag" in body["errors"][0]["detail"]


def test_field_errors_carry_their_path(library: Library) -> None:
    asked = {"query": "urlop", "filters": {"valid_on": "wczoraj"}}
    body = problem(library.client("anonymous").post("/api/search", asked, content_type="application/json"))
    assert [error["field"] for error in body["errors"]] == ["filters.valid_on"]
