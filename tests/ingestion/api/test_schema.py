"""The description of the API: whole, valid, with an example that fits wherever JSON is sent or said."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft4Validator

from tests.ingestion.api.library import Library


def test_the_schema_is_valid_and_complete() -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, file="/dev/null")


def test_the_schema_is_served(library: Library) -> None:
    response = library.client("anonymous").get("/api/schema/?format=json")
    assert response.status_code == 200
    assert {"/api/search", "/api/ask", "/api/documents", "/api/jobs/{id}"} <= set(response.json()["paths"])


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    described: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return described


def described_operations(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, operations in schema["paths"].items():
        yield from ((f"{verb.upper()} {path}", operation) for verb, operation in operations.items())


def test_each_operation_says_what_it_does_and_what_a_key_must_be_for(schema: dict[str, Any]) -> None:
    for name, operation in described_operations(schema):
        assert operation.get("summary"), name
        assert "API key" in operation["description"] or "API keys" in operation["description"], name


def test_each_operation_has_examples_that_fit(schema: dict[str, Any]) -> None:
    found = 0
    for way, left_out in (("requestBody", "readOnly"), ("responses", "writeOnly")):
        readable = as_json_schema(schema, left_out)
        for name, operation in described_operations(readable):
            said = operation.get(way, {})
            messages = [said] if "content" in said else [one for status, one in said.items() if status.startswith("2")]
            for media_type, content in (item for one in messages for item in one.get("content", {}).items()):
                if "json" in media_type:
                    found += 1
                    shape = {"allOf": [content["schema"]], "components": readable["components"]}
                    errors = Draft4Validator(shape).iter_errors(content["example"])
                    assert [(list(error.path), error.message) for error in errors] == [], f"{way} of {name}"
    assert found > 80


def as_json_schema(schema: Any, left_out: str) -> Any:
    """OpenAPI 3.0 has `nullable` beside the type, and demands what is only read of answers alone."""
    if isinstance(schema, list):
        return [as_json_schema(one, left_out) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: as_json_schema(one, left_out) for name, one in schema.items() if name != "required"}
    members = schema.get("properties", {})
    demanded = schema.get("required") if members else None
    if wanted := [name for name in demanded or () if not members.get(name, {}).get(left_out)]:
        found["required"] = wanted
    if found.pop("nullable", False) is True:
        return {"anyOf": [found, {"type": "null"}]}
    return found
