from django.core.management import call_command

from tests.ingestion.api.library import Library


def test_the_schema_is_valid_and_complete() -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, file="/dev/null")


def test_the_schema_is_served(library: Library) -> None:
    response = library.client("anonymous").get("/api/schema/?format=json")
    assert response.status_code == 200
    assert {"/api/search", "/api/ask", "/api/documents", "/api/jobs/{id}"} <= set(response.json()["paths"])
