"""What the admin says of language models holds where environment and settings say nothing."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from knowledgetree.encryption import UndecipherableSecret, decrypt_secret, encrypt_secret, encrypted_anew
from knowledgetree.language_models import LLM_STEPS
from rag.llm import model_for, step_model
from rag.llm.configuration import llm_settings, stored_servers
from rag.llm.spending.budgets import affordable
from rag.models import LanguageModelServer, MonthlyBudget
from rag.presets import default_name

pytestmark = pytest.mark.django_db

KEY = "sk-bardzo-tajny"


@pytest.fixture
def unset(settings: Any) -> None:
    """Nothing of language models in the environment."""
    settings.RAG = {**settings.RAG, "llm": {}}


def add_server(**fields: Any) -> LanguageModelServer:
    fields = {"name": "glowny", "api": "messages", "encrypted_key": encrypt_secret(KEY), **fields}
    return LanguageModelServer.objects.create(**fields)


def test_without_a_server_there_is_what_the_settings_say(unset: None) -> None:
    assert not llm_settings().configured
    assert default_name() == "offline"


def test_a_server_of_the_admin_answers_from_when_it_is_saved(unset: None) -> None:
    assert not llm_settings().configured
    add_server(base_url="http://ollama:11434", model="duzy", fast_model="maly", step_models={"judging": "sedzia"})
    llm = llm_settings()
    assert (llm.api_key, llm.base_url, llm.native_citations) == (KEY, "http://ollama:11434", False)
    assert [model_for(llm, step) for step in ("answer", "rewriting", "judging")] == ["duzy", "maly", "sedzia"]
    assert default_name() == "balanced"


def test_without_a_fast_model_that_of_answers_is_asked(unset: None) -> None:
    add_server(model="jedyny")
    assert llm_settings().fast_model == "jedyny"


def test_it_costs_no_query_a_question(unset: None) -> None:
    add_server()
    llm_settings()
    with CaptureQueriesContext(connection) as queries:
        llm_settings()
    assert len(queries) == 0


def test_a_change_holds_at_once_where_it_is_made_and_is_gone_with_its_row(unset: None) -> None:
    server = add_server(model="stary")
    assert llm_settings().model == "stary"
    server.model = "nowy"
    server.save()
    assert llm_settings().model == "nowy"
    server.delete()
    assert not llm_settings().configured


def test_the_environment_goes_before_the_admin_part_by_part(settings: Any) -> None:
    add_server(model="z-panelu", fast_model="szybki-z-panelu", step_models={"judging": "a", "planning": "b"})
    settings.RAG = {**settings.RAG, "llm": {"model": "ze-srodowiska", "models": {"judging": "c"}}}
    llm = llm_settings()
    assert (llm.model, llm.fast_model, llm.api_key) == ("ze-srodowiska", "szybki-z-panelu", KEY)
    assert llm.models == {"judging": "c", "planning": "b"}


@pytest.mark.parametrize("connection", [{"api_key": "ze-srodowiska"}, {"base_url": "http://nasz:1"}])
def test_a_key_of_the_environment_is_never_sent_to_an_address_of_the_admin_nor_the_reverse(
    settings: Any, connection: dict[str, str]
) -> None:
    add_server(base_url="https://obcy.example", model="z-panelu")
    settings.RAG = {**settings.RAG, "llm": connection}
    llm = llm_settings()
    assert (llm.api_key, llm.base_url) == (connection.get("api_key", ""), connection.get("base_url", ""))
    assert llm.model == "z-panelu"


def test_a_further_server_does_its_steps_with_its_own_key(unset: None) -> None:
    add_server(model="duzy", step_models={"judging": "sedzia", "planning": "plan"})
    add_server(
        name="drugi", main=False, api="chat_completions", base_url="http://ollama:11434/v1",
        encrypted_key=encrypt_secret("sk-drugi"), step_models={"judging": "bielik"},
    )  # fmt: skip
    llm = llm_settings()
    judging = llm.for_step("judging")
    assert (judging.api, judging.model, judging.api_key) == ("chat_completions", "bielik", "sk-drugi")
    assert (llm.for_step("planning").model, llm.for_step("planning").api_key) == ("plan", KEY)
    assert llm.for_step("answer").model == "duzy"


def test_what_cannot_be_afforded_asks_no_further_server_either(unset: None) -> None:
    add_server(model="duzy")
    add_server(name="drugi", main=False, base_url="http://ollama:11434", step_models={"rewriting": "bielik"})
    MonthlyBudget.objects.create(dollars=0)
    left = affordable(llm_settings())
    assert [step for step in LLM_STEPS if step_model(left, step)] == []


def test_a_server_of_chat_completions_needs_the_name_of_a_model(unset: None) -> None:
    server = add_server(api="chat_completions", base_url="http://ollama:11434/v1")
    assert not llm_settings().configured
    server.model = "bielik"
    server.save()
    assert (llm_settings().configured, llm_settings().fast_model) == (True, "bielik")


class TestKeys:
    def test_the_database_does_not_have_the_key(self) -> None:
        server = add_server()
        row = LanguageModelServer.objects.filter(pk=server.pk).values().get()
        assert KEY not in str(row)
        assert KEY not in repr(stored_servers())

    def test_a_key_of_another_secret_leaves_the_server_out_and_says_so(self, unset: None) -> None:
        add_server()
        with override_settings(SECRET_KEY="inny"):
            assert not llm_settings().configured
            assert stored_servers().undecipherable == ("glowny",)

    def test_a_key_of_its_own_may_come_later(self) -> None:
        token = encrypt_secret(KEY)
        with override_settings(ENCRYPTION_KEY="nowy"):
            assert decrypt_secret(token) == KEY
            token = encrypted_anew(token)
        with override_settings(ENCRYPTION_KEY="nowy", SECRET_KEY="zmieniony"):
            assert decrypt_secret(token) == KEY
        with pytest.raises(UndecipherableSecret):
            decrypt_secret(token)

    def test_an_earlier_key_decrypts_as_long_as_it_is_named(self) -> None:
        with override_settings(ENCRYPTION_KEY="stary"):
            token = encrypt_secret(KEY)
        with override_settings(ENCRYPTION_KEY="nowy", ENCRYPTION_KEY_FALLBACKS=["stary"]):
            assert decrypt_secret(encrypted_anew(token)) == KEY
        with override_settings(ENCRYPTION_KEY="nowy"), pytest.raises(UndecipherableSecret):
            decrypt_secret(token)


@pytest.mark.parametrize(
    "address",
    ["ftp://x", "localhost:1", "http://", "http://u:p@host", "http://host/?key=1", "http://host:99999", "http://a b"],
)
def test_an_address_is_one_of_the_web_and_has_no_key_in_it(address: str) -> None:
    with pytest.raises(ValidationError):
        LanguageModelServer(name="a", base_url=address).full_clean()


def test_a_server_in_the_own_network_may_be_named() -> None:
    for address in ("http://localhost:11434", "http://ollama:11434/v1", "https://api.example.pl"):
        LanguageModelServer(name="a", base_url=address).full_clean()


def test_one_server_answers() -> None:
    add_server()
    with pytest.raises(ValidationError):
        LanguageModelServer(name="drugi").full_clean()
    LanguageModelServer(name="drugi", main=False).full_clean()
