"""Descriptions of interfaces become texts with a section for each operation."""

import json
from typing import Any

import pytest

from ingestion.reading.registry import extract
from ingestion.types import ExtractedText

MEDIA_TYPE = "application/vnd.oai.openapi"
DESCRIPTION: dict[str, Any] = {
    "openapi": "3.0.4",
    "info": {"title": "Rejestr psów", "description": "Wersja dla gmin.<br># Uwaga\nDane są ćwiczebne."},
    "servers": [{"url": "https://psy.example/v2", "description": "Środowisko ćwiczebne"}],
    "tags": [{"name": "Wpisy", "description": "Wpis mówi, czyj jest pies."}],
    "paths": {
        "/wpisy/{numer}": {
            "parameters": [{"name": "numer", "in": "path", "required": True, "schema": {"type": "string"}}],
            "delete": {
                "tags": ["Wpisy"],
                "summary": "Wykreślenie psa",
                "description": "Wykreśla psa z rejestru.\n\n| Kod | Opis |\n|---|---|\n| 41   | pies   żyje |",
                "parameters": [{"$ref": "#/components/parameters/powod"}],
                "responses": {
                    "204": {"description": "No Content"},
                    "404": {"$ref": "#/components/responses/brak"},
                    "429": {"description": "Najwyżej 8 wywołań na minutę."},
                },
            },
            "get": {"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/x/Wpis"}}}}}},
        }
    },
    "components": {
        "parameters": {
            "powod": {"name": "powod", "in": "query", "description": "Dlaczego.", "schema": {"enum": ["zgon", "wywóz"]}}
        },
        "responses": {"brak": {"description": "Takiego wpisu nie ma."}},
        "schemas": {
            "Wpis": {
                "type": "object",
                "required": ["imie"],
                "properties": {
                    "imie": {"type": "string", "maxLength": 20, "description": "Imię psa."},
                    "pan": {"type": "object", "properties": {"adres": {"type": "string", "description": "Ulica."}}},
                },
            },
            "Rasa": {"type": "string", "enum": ["jamnik", "kundel"]},
        },
    },
}


def read(description: object, *, name: str = "psy.json") -> ExtractedText:
    content = json.dumps(description).encode() if not isinstance(description, str) else description.encode()
    media_type, extracted = extract(content, name=name, max_bytes=10**7, max_characters=10**7)
    assert media_type == MEDIA_TYPE
    return extracted


def section(text: str, heading: str) -> str:
    return text.partition(f"{heading}\n")[2].partition("\n#")[0].strip()


def test_operations_and_schemas_are_sections() -> None:
    extracted = read(DESCRIPTION)

    assert extracted.title == "Rejestr psów"
    assert [line for line in extracted.text.splitlines() if line.startswith("#")] == [
        "# Rejestr psów", "### GET /wpisy/{numer}", "## Wpisy", "### Wykreślenie psa", "## Schemas", "### Wpis",
        "### Rasa",
    ]  # fmt: skip
    assert "- `https://psy.example/v2` – Środowisko ćwiczebne" in extracted.text


def test_an_operation_has_its_address_parameters_and_answers() -> None:
    assert section(read(DESCRIPTION).text, "### Wykreślenie psa").splitlines() == [
        "`DELETE /wpisy/{numer}`",
        "",
        "Wykreśla psa z rejestru.",
        "",
        "| Kod | Opis |",
        "|---|---|",
        "| 41 | pies żyje |",
        "",
        "- **numer** (path, string, required)",
        "- **powod** (query, one of zgon, wywóz): Dlaczego.",
        "- **404**: Takiego wpisu nie ma.",
        "- **429**: Najwyżej 8 wywołań na minutę.",
        "- 204",
    ]


def test_a_schema_has_its_fields_and_those_within() -> None:
    text = read(DESCRIPTION).text

    assert section(text, "### Wpis").splitlines() == [
        "- **imie** (string, maxLength 20, required): Imię psa.",
        "- **pan** (object)",
        "- **pan.adres** (string): Ulica.",
    ]
    assert section(text, "### Rasa") == "string, one of jamnik, kundel"


def test_headings_and_tags_of_descriptions_are_no_sections() -> None:
    assert "Wersja dla gmin.\n**Uwaga**\nDane są ćwiczebne." in read(DESCRIPTION).text


@pytest.mark.parametrize("said", ["#" + " " * 500_000 + "x", "# a" + " #" * 200_000, "<b " * 200_000])
def test_long_lines_of_a_description_are_read(said: str) -> None:
    assert read({"openapi": "3.0.1", "info": {"description": said}, "paths": {"/a": {"get": {"summary": "A"}}}}).text


def test_truth_values_are_written_as_in_the_file() -> None:
    limits = {"A": {"type": "object", "properties": {"a": {"type": "boolean", "default": False}}}}
    text = read({"openapi": "3.0.1", "paths": {"/a": {"get": {}}}, "components": {"schemas": limits}}).text
    assert "- **a** (boolean, default false)" in text


def test_yaml_and_swagger_2_are_read_too() -> None:
    text = read(
        """
swagger: "2.0"
info: {title: Rejestr kotów}
host: koty.example
basePath: /v1
paths:
  /koty:
    post:
      summary: Wpisanie kota
      parameters: [{name: body, in: body, required: true, schema: {$ref: "#/definitions/Kot"}}]
definitions:
  Kot: {type: object, properties: {waga: {type: number, description: W kilogramach.}}}
""",
        name="koty.yaml",
    ).text

    assert "- `https://koty.example/v1`" in text
    assert section(text, "### Wpisanie kota") == "`POST /koty`\n\n- **body** (body, Kot, required)"
    assert section(text, "### Kot") == "- **waga** (number): W kilogramach."


@pytest.mark.parametrize(
    "nested", [{"$ref": "#/components/schemas/A"}, {"allOf": [{"$ref": "#/components/schemas/A"}]}]
)
def test_schemas_that_refer_to_themselves_end(nested: object) -> None:
    schemas = {"A": {"type": "object", "properties": {"a": nested}}}
    text = read(
        {"openapi": "3.1.0", "paths": {"/a": {"get": {"summary": "A"}}}, "components": {"schemas": schemas}}
    ).text
    assert section(text.partition("## Schemas")[2], "### A") == "- **a** (A)"


@pytest.mark.parametrize(
    ("content", "name"),
    [('{"openapi": "3.0.1", "paths": {"/a": ', "a.json"), ("openapi: 3.0.1\npaths: [&a *a]\n", "a.yaml"),
     ('{"openapi": "3.0.1", "paths": [1, {}]}', "a.json")],
)  # fmt: skip
def test_what_cannot_be_parsed_stays_what_it_is(content: str, name: str) -> None:
    text = read(content, name=name).text
    assert "".join(text.split()) == "".join(content.split())


def test_values_of_the_wrong_kind_are_passed_over() -> None:
    wrong: Any = {"openapi": "3.0.1", "info": [], "servers": {}, "tags": ["x", {"name": 1}], "components": 5}
    wrong["paths"] = {"/a": {"get": {"responses": [], "parameters": "p", "tags": {}, "description": 7}}, "/b": None}
    assert "### GET /a" in read(wrong).text
