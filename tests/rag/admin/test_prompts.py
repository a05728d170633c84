"""Prompts, presets and settings as the admin shows them."""

import re
import tomllib
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from knowledgetree.conf import RAGSettings, build, rag_settings
from rag.admin.assistants.preset_parts import WORDS, changed_parts, parts_of
from rag.admin.assistants.stages import stages_of
from rag.admin.settings.prompts import PURPOSES, shown_prompts
from rag.admin.settings.settings_page import PACKAGES, shown_settings
from rag.llm.prompts import prompt_files
from rag.models import Assistant
from rag.presets import Preset, known_names, preset

pytestmark = pytest.mark.django_db

PAGES = ("rag_prompts", "rag_presets", "rag_settings")
SECRET = "sk-bardzo-tajny-klucz"


@pytest.fixture
def chief(client: Client, superuser: User) -> Client:
    client.force_login(superuser)
    return client


def address(page: str) -> str:
    return reverse(f"admin:{page}_changelist")


def test_the_pages_are_for_superusers_and_presets_for_who_sees_assistants(client: Client, employee: User) -> None:
    employee.is_staff = True
    employee.save()
    client.force_login(employee)
    assert [client.get(address(page)).status_code for page in PAGES] == [403, 403, 403]
    employee.user_permissions.add(Permission.objects.get(codename="view_assistant"))
    assert [client.get(address(page)).status_code for page in PAGES] == [403, 200, 403]
    index = client.get(reverse("admin:index")).content.decode()
    assert [address(page) in index for page in PAGES] == [False, True, False]
    assert address("rag_settings") not in client.get(address("rag_presets")).content.decode()


def test_every_prompt_is_shown_with_its_hash_variables_and_purpose(chief: Client) -> None:
    page = chief.get(address("rag_prompts")).content.decode()
    assert {file.name for file in prompt_files()} == set(PURPOSES)
    assert all(file.hash in page for file in prompt_files())
    sources = next(prompt for prompt in shown_prompts() if prompt.name == "sources")
    assert [file.language for file in sources.files] == ["en", "pl"]
    assert set(sources.files[0].variables) == {"sources", "background", "question", "refusal", "today"}
    assert "&lt;sources&gt;" in page


def test_every_part_of_a_preset_is_explained() -> None:
    assert [part.name for part in parts_of(Preset(name="x"))] == list(WORDS)


def test_parts_that_differ_from_the_default_are_marked(chief: Client) -> None:
    assert changed_parts(Preset(name="x")) == []
    assert {part.name for part in changed_parts(preset("legal"))} == {"synthesizer", "fusion", "dense_weight"}
    page = chief.get(address("rag_presets"), {"preset": "legal"}).content.decode()
    assert page.count('class="is-changed"') == 3


@pytest.mark.parametrize("name", known_names())
def test_every_preset_has_its_stages(chief: Client, name: str) -> None:
    assert chief.get(address("rag_presets"), {"preset": name}).status_code == 200
    stages = stages_of(preset(name), rag_settings())
    assert all(stage.name and stage.does and (stage.here or not stage.on) for stage in stages)


def test_a_stage_that_does_nothing_is_off() -> None:
    on = [stage.on for stage in stages_of(preset("offline"), rag_settings())]
    more = [stage.on for stage in stages_of(preset("offline", {"neighbours": 1, "graph_weight": 0.2}), rag_settings())]
    assert sum(more) == sum(on) + 2
    assert sum(stage.on for stage in stages_of(preset("offline", {"glossary": False}), rag_settings())) == sum(on) - 1


def test_an_unknown_preset_is_the_default_and_an_unknown_assistant_is_none(chief: Client) -> None:
    assert chief.get(address("rag_presets"), {"preset": "<b>"}).context["chosen"].default
    assert chief.get(address("rag_presets"), {"assistant": "999"}).status_code == 404


def test_an_assistant_shows_what_its_preset_comes_to(chief: Client) -> None:
    assistant = Assistant.objects.create(name="Kadry", slug="kadry", preset_name="offline", parts={"neighbours": 2})
    page = chief.get(reverse("admin:rag_assistant_change", args=[assistant.pk])).content.decode()
    whole = f"{address('rag_presets')}?assistant={assistant.pk}"
    assert whole in page
    assert "neighbours" in page
    assert chief.get(whole).context["preset"].neighbours == 2
    Assistant.objects.update(preset_name="zniknął")
    assert chief.get(whole).status_code == 200
    assert chief.get(reverse("admin:rag_assistant_change", args=[assistant.pk])).status_code == 200
    assert chief.get(reverse("admin:rag_assistant_add")).status_code == 200


def test_secrets_are_never_shown(chief: Client, settings: Any) -> None:
    embedder = {"backend": "x.Y", "options": {"api_key": SECRET, "url": f"https://jan:{SECRET}@host/v1?key={SECRET}"}}
    settings.RAG = {
        **settings.RAG,
        "llm": {"api_key": SECRET, "base_url": f"https://{SECRET}@example.org/"},
        "components": {
            **settings.RAG["components"],
            "embedders": {**settings.RAG["components"]["embedders"], "own": embedder},
        },
        "presets": {"moj": {"model": "jakiś"}},
    }
    page = chief.get(address("rag_settings")).content.decode()
    assert SECRET not in page
    assert "https://host/v1" in page
    assert "https://example.org/" in page
    shown = {one.name: one for one in shown_settings(rag_settings())}
    assert shown["llm.api_key"].value != shown["llm.api_key"].default
    assert shown["llm.max_tokens"].value != shown["llm.api_key"].default
    assert shown["presets.moj.model"].value == "jakiś"


def test_what_was_set_is_told_from_what_is_the_default() -> None:
    shown = {one.name: one for one in shown_settings(build(RAGSettings, {"llm": {"max_tokens": 7}}, "RAG"))}
    assert shown["llm.max_tokens"].own
    assert shown["llm.max_tokens"].value == "7"
    assert not shown["llm.timeout"].own
    assert not shown["fetching.ports"].own
    assert not shown["llm.api_key"].own


def test_versions_are_told(chief: Client) -> None:
    told = dict(chief.get(address("rag_settings")).context["versions"])
    assert {"KnowledgeTree", "Python", "PostgreSQL", "Django"} <= set(told)


def test_the_versions_shown_are_of_what_the_program_may_be_installed_with() -> None:
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *(one for extra in project["optional-dependencies"].values() for one in extra)]
    assert set(PACKAGES) <= {re.split(r"[\[><=]", one)[0] for one in wanted}
