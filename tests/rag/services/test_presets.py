"""Which preset answers, and what a preset may say."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from ingestion.models import Collection
from ingestion.selectors import operator
from rag.admin.assistants.assistants import AssistantForm
from rag.errors import InvalidFilter, UnknownAssistant, UnknownPreset
from rag.models import Assistant
from rag.presets import preset
from rag.selectors.scope import searched_collections
from rag.services.choice import assistant_called, assistant_preset, chosen_preset
from rag.services.search import search_passages
from rag.types import Filters
from tests.conftest import AddDocument


@pytest.mark.parametrize(
    ("parts", "complaint"),
    [
        ({"neighbors": 1}, "neighbors.*neighbours"),
        ({"neighbours": 99}, "neighbours"),
        ({"fusion": "suma"}, "fusion.*suma"),
        ({"dense_weight": 1.5}, "dense_weight"),
        ({"transformations": ["zgadywanie"]}, "transformations"),
        ({"reranker": "nieznany"}, "nieznany.*features"),
        ({"reranker": "os.system"}, "os.system"),
    ],
)
def test_a_part_that_does_not_fit_is_refused_by_name(parts: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=complaint):
        preset("offline", parts)


def test_a_wrong_preset_is_reported_when_the_program_starts(settings: Any) -> None:
    settings.RAG = {**settings.RAG, "presets": {"nasz": {"dense_weight": 7}}}
    assert [error.id for error in run_checks() if "nasz" in error.msg] == ["knowledgetree.E003"]


@pytest.mark.django_db
def test_every_shipped_preset_is_valid() -> None:
    assert not [error for error in run_checks() if error.id == "knowledgetree.E003"]


def test_the_call_goes_before_the_assistant_before_the_collection(public: Collection, settings: Any) -> None:
    public.preset = "legal"
    assistant = Assistant.objects.create(name="Kadry", slug="kadry", preset_name="fast", parts={"neighbours": 2})

    def chosen(name: str = "", *, by: Assistant | None = None, among: list[Collection]) -> str:
        return chosen_preset(name, assistant=by, collections=among).name

    assert chosen("offline", by=assistant, among=[public]) == "offline"
    assert chosen(by=assistant, among=[public]) == "fast"
    assert chosen(among=[public]) == "legal"
    assert chosen(among=[public, public]) == "offline"
    assert assistant_preset(assistant).neighbours == 2
    with pytest.raises(UnknownPreset, match="magiczny"):
        chosen("magiczny", among=[])


def test_an_assistant_never_widens_what_its_reader_may_see(
    public: Collection, restricted: Collection, index: AddDocument
) -> None:
    index(public, "Urlop wynosi 26 dni.", name="a.txt")
    index(restricted, "Urlop prezesa wynosi 99 dni.", name="b.txt")
    assistant = Assistant.objects.create(name="Kadry", slug="kadry")
    assistant.collections.set([public, restricted])
    found = search_passages(query="urlop", viewer=AnonymousUser(), assistant="kadry")
    assert [passage.collection for passage in found.passages] == ["publiczna"]
    assert found.chunks_total == 1


def test_an_assistant_searches_only_its_collections(
    public: Collection, internal: Collection, employee: Any, index: AddDocument
) -> None:
    index(public, "Urlop wynosi 26 dni.", name="a.txt")
    index(internal, "Urlop wynosi 20 dni.", name="b.txt")
    assistant = Assistant.objects.create(name="Kadry", slug="kadry")
    assistant.collections.set([internal])
    assert {p.collection for p in search_passages(query="urlop", viewer=employee, assistant="kadry").passages} == {
        "wewnetrzna"
    }
    with pytest.raises(InvalidFilter, match="publiczna"):
        searched_collections(employee, Filters(collections=("publiczna",)), assistant)


@pytest.mark.django_db
def test_an_assistant_that_is_not_in_use_is_unknown() -> None:
    Assistant.objects.create(name="Dawny", slug="dawny", enabled=False)
    for name in ("dawny", "nikt"):
        with pytest.raises(UnknownAssistant):
            assistant_called(name, operator())


@pytest.mark.django_db
def test_an_assistant_with_wrong_parts_is_not_saved_by_the_form() -> None:
    for parts in ({"neighbours": 99}, {"reranker": "subprocess.Popen"}, [1]):
        assert not AssistantForm({"name": "A", "slug": "a", "parts": json.dumps(parts)}).is_valid()
    assert AssistantForm({"name": "A", "slug": "a", "parts": '{"neighbours": 2}'}).is_valid()


@pytest.mark.django_db
def test_the_api_lists_presets_as_data(client: Client) -> None:
    presets = {entry["name"]: entry for entry in client.get("/api/presets").json()}
    assert set(presets) >= {"fast", "balanced", "accurate", "research", "code", "legal", "offline"}
    assert presets["offline"]["default"]
    assert presets["offline"]["missing"] == []
    assert presets["accurate"]["parts"]["research"] == "planned"
    assert presets["balanced"]["missing"], "there is no key here, so the list must say so"


def test_the_api_names_what_it_does_not_know(client: Client, public: Collection) -> None:
    assert client.get("/api/search", {"query": "urlop", "preset": "magiczny"}).json()["code"] == "unknown_preset"
    answer = client.post("/api/ask", {"question": "urlop?", "assistant": "nikt"}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_assistant")
    Assistant.objects.create(name="Kadry", slug="kadry", preset_name="fast")
    assert [entry["slug"] for entry in client.get("/api/assistants").json()] == ["kadry"]
