"""Which model does which step, from the settings."""

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from knowledgetree.conf import rag_settings
from knowledgetree.language_models import LLM_STEPS, LLMSettings, Price
from rag.llm import fast_language_model, language_model, model_for, step_model
from rag.llm.chat_completions.chat_model import ChatCompletionsModel
from rag.llm.configuration import llm_settings
from rag.llm.messages.messages_model import MessagesModel
from rag.presets import default_name

SETTINGS = LLMSettings(api_key="klucz", model="duzy", fast_model="maly", models={"judging": "sedzia"})


def test_the_strong_model_answers_and_the_fast_one_does_the_rest():
    assert {step: model_for(LLMSettings(model="duzy", fast_model="maly"), step) for step in LLM_STEPS} == {
        step: "duzy" if step == "answer" else "maly" for step in LLM_STEPS
    }


def test_a_step_may_have_a_model_of_its_own():
    assert model_for(SETTINGS, "judging") == "sedzia"
    judge = step_model(SETTINGS, "judging")
    assert judge is not None
    assert judge.name == "sedzia"


def test_clients_are_made_once():
    assert step_model(SETTINGS, "grading") is step_model(SETTINGS, "planning") is fast_language_model(SETTINGS)


def test_without_a_key_there_is_none():
    assert step_model(LLMSettings(), "answer") is None


def test_whether_quotes_are_located_is_a_setting():
    assert not language_model(LLMSettings(api_key="klucz", native_citations=False)).locates
    assert language_model(LLMSettings(api_key="klucz")).locates


def test_models_and_prices_are_read_from_the_settings(settings: Any):
    price = {"input": 1.0, "output": 2.0}
    settings.RAG = {**settings.RAG, "llm": {"models": {"judging": "sedzia"}, "prices": {"sedzia": price}}}
    llm = rag_settings().llm
    assert (llm.models["judging"], llm.prices["sedzia"]) == ("sedzia", Price(input=1.0, output=2.0))


@pytest.mark.parametrize(
    ("llm", "wrong"),
    [
        ({"models": {"osąd": "x"}}, "osąd"),
        ({"prices": {"x": {"input": 1.0, "output": 1.0, "podatek": 2.0}}}, "llm.prices.x: unknown setting podatek"),
        ({"prices": {"x": {"input": 1.0}}}, "llm.prices.x"),
    ],
)
def test_a_step_or_a_price_that_is_none_is_told(settings: Any, llm: dict[str, Any], wrong: str):
    settings.RAG = {**settings.RAG, "llm": llm}
    with pytest.raises(ImproperlyConfigured, match=wrong):
        rag_settings()


@pytest.mark.parametrize(
    ("llm", "there"), [({}, False), ({"api_key": "klucz"}, True), ({"base_url": "http://127.0.0.1:11434"}, True)]
)
@pytest.mark.django_db
def test_a_key_or_the_address_of_a_server_of_ones_own_is_a_model(settings: Any, llm: dict[str, Any], there: bool):
    settings.RAG = {**settings.RAG, "llm": llm}
    assert llm_settings().configured == there
    assert default_name() == ("balanced" if there else "offline")


def test_an_api_that_nobody_speaks_is_told(settings: Any):
    settings.RAG = {**settings.RAG, "llm": {"api": "telepatia"}}
    with pytest.raises(ImproperlyConfigured, match=r"telepatia.*messages, chat_completions"):
        rag_settings()


BIELIK = {"api": "chat_completions", "base_url": "http://127.0.0.1:11434", "capabilities": {"tools": False}}


@pytest.mark.django_db
def test_a_step_may_have_a_server_of_its_own(settings: Any):
    llm = {
        "api_key": "klucz",
        "servers": {"bielik": BIELIK},
        "models": {"expansion": {"server": "bielik", "model": "b"}},
        "mask_personal_data": False,
    }
    settings.RAG = {**settings.RAG, "llm": llm}
    answering, wording = (step_model(rag_settings().llm, step) for step in ("answer", "expansion"))
    assert isinstance(answering, MessagesModel)
    assert isinstance(wording, ChatCompletionsModel)
    assert (wording.name, wording.capabilities.tools) == ("b", False)


@pytest.mark.django_db
def test_a_model_that_only_answers_leaves_the_other_steps_without_one(settings: Any):
    llm = {"servers": {"bielik": BIELIK}, "models": {"answer": {"server": "bielik", "model": "b"}}}
    settings.RAG = {**settings.RAG, "llm": llm}
    assert rag_settings().llm.configured
    assert step_model(rag_settings().llm, "grading") is None


def test_a_server_that_there_is_none_of_is_told(settings: Any):
    settings.RAG = {**settings.RAG, "llm": {"models": {"answer": {"server": "pllum", "model": "b"}}}}
    with pytest.raises(ImproperlyConfigured, match="pllum"):
        rag_settings()


def test_where_no_fast_model_is_named_the_one_that_answers_does_all():
    assert model_for(LLMSettings(api="chat_completions", model="b", fast_model=""), "grading") == "b"
