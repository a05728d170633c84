"""All operations of the API, as the addresses and the schema have them, with rows that they can be asked about."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import Permission, User
from django.urls import URLPattern, URLResolver, get_resolver
from drf_spectacular.generators import SchemaGenerator

from ingestion.api.authentication import KeyAuthentication
from ingestion.models import GlossaryEntry, LexiconPack, Source, SynonymGroup
from rag.models import Assistant, EvaluationDataset, EvaluationQuestion, EvaluationRun, Measurement
from tests.ingestion.api.library import Library, make_library
from tests.rag.chat.conversations.talks import said, talk

_VERBS = ("get", "post", "put", "patch", "delete")
_PLACE = re.compile(r"<[^>]+>|{\w+}")
SCHEMA = "/api/schema/"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Operation:
    """`route` has "{}" where a row is named."""

    route: str
    verb: str

    def __str__(self) -> str:
        return f"{self.verb.upper()} {self.route}"

    @property
    def of_a_row(self) -> bool:
        return "{}" in self.route


def operations() -> list[Operation]:
    """Those of people and programs alike; a widget's visitors have keys of their own."""
    return sorted(
        Operation(route=_PLACE.sub("{}", f"/{address}"), verb=verb)
        for address, view in _views(get_resolver().url_patterns)
        for verb in _VERBS
        if hasattr(view, verb) and KeyAuthentication in view.authentication_classes and f"/{address}" != SCHEMA
    )


def _views(patterns: list[Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _views(pattern.url_patterns, prefix + str(pattern.pattern))
        elif isinstance(pattern, URLPattern) and prefix.startswith("api/"):
            yield prefix + str(pattern.pattern), pattern.callback.view_class


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """What the schema says of an operation: the fields of its JSON body, its query parameters, and the scope that a key
    needs, "" for any; None where it says nothing.
    """

    scope: str | None
    fields: tuple[str, ...]
    parameters: tuple[str, ...]


def described_operations() -> dict[Operation, Described]:
    schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return {
        Operation(route=_PLACE.sub("{}", path), verb=verb): Described(
            scope=_told_scope(operation.get("description", "")),
            fields=tuple(_body_fields(schema, operation)),
            parameters=tuple(one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"),
        )
        for path, found in schema["paths"].items()
        for verb, operation in found.items()
    }


def _told_scope(description: str) -> str | None:
    told = re.search(r"API key: (?:scope `(.+)`|any scope)\.$", description)
    return (told[1] or "") if told else None


def _body_fields(schema: dict[str, Any], operation: dict[str, Any]) -> list[str]:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    name = body.get("$ref", "").rpartition("/")[2]
    return list(schema["components"]["schemas"][name]["properties"]) if name else []


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoints:
    """`rows`: by the beginning of an address, the name of a row of the restricted collection, of the lexicon of all."""

    library: Library
    rows: dict[str, object]

    def address(self, operation: Operation) -> str:
        beginnings = [name for name in self.rows if operation.route.startswith(f"/api/{name}/")]
        return (
            operation.route.replace("{}", str(self.rows[max(beginnings, key=len)])) if beginnings else operation.route
        )


def make_endpoints() -> Endpoints:
    library = make_library()
    restricted, member = library.collections["restricted"], library.viewers["member"]
    assert isinstance(member, User)
    library.viewers["editor"].user_permissions.add(*Permission.objects.filter(content_type__app_label="rag"))
    assistant = Assistant.objects.create(name="Tajny", slug="tajny")
    assistant.collections.add(restricted)
    dataset = EvaluationDataset.objects.create(name="Tajny", collection=restricted)
    question = EvaluationQuestion.objects.create(dataset=dataset, external_id="1", text="Kto?")
    for _run in range(2):
        run = EvaluationRun.objects.create(dataset="Tajny", kind="answers", preset="offline", questions=1)
    job = library.waiting["restricted"].jobs.get()
    measurement = Measurement.objects.create(dataset=dataset, kind="answers", job=job)
    rows = {
        "collections": "restricted",
        "documents": library.ready["restricted"].pk,
        "jobs": job.pk,
        "sources": Source.objects.create(collection=restricted, kind="upload", name="Przesłane").pk,
        "synonyms": SynonymGroup.objects.create(name="tajne", collection=restricted).pk,
        "lexicon": LexiconPack.objects.create(name="proba", title="Próba").name,
        "glossary": GlossaryEntry.objects.create(term="EZD", collection=restricted, phrases=["ezd"]).pk,
        "feedback": said(talk(member), "Ile trwa urlop?", "20 dni.", collections=(restricted,)).pk,
        "assistants": assistant.slug,
        "evaluation/sets": dataset.pk,
        "evaluation/questions": question.pk,
        "evaluation/measurements": measurement.pk,
        "evaluation/runs": run.pk,
    }
    return Endpoints(library=library, rows=rows)
