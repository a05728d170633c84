"""Which variables make which language model."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from knowledgetree.llm_environment import llm_environment

NAMES = """
    API API_KEY API_KEY_FILE BASE_URL MODEL FAST_MODEL NATIVE_CITATIONS MAX_CONCURRENT EXTRA_BODY
""".split()


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for company in ("LLM", "ANTHROPIC", "OPENAI"):
        for name in NAMES:
            monkeypatch.delenv(f"{company}_{name}", raising=False)


def test_nothing_set_says_nothing() -> None:
    assert llm_environment() == {}


def test_the_names_of_the_company_do_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "klucz")
    monkeypatch.setenv("ANTHROPIC_FAST_MODEL", "maly")
    monkeypatch.setenv("OPENAI_API_KEY", "inny")
    assert llm_environment() == {"api_key": "klucz", "fast_model": "maly"}


def test_another_server_is_not_asked_to_locate_quotes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:4000")
    assert llm_environment()["native_citations"] is False
    monkeypatch.setenv("LLM_NATIVE_CITATIONS", "1")
    assert llm_environment()["native_citations"] is True


def test_chat_completions_has_no_models_of_anthropic(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"API": "chat_completions", "BASE_URL": "http://127.0.0.1:11434", "MODEL": "bielik"}.items():
        monkeypatch.setenv(f"LLM_{name}", value)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "klucz")
    found = llm_environment()
    assert (found["model"], found["fast_model"]) == ("bielik", "")
    assert "api_key" not in found


def test_what_goes_with_every_request_is_a_json_object(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_EXTRA_BODY", '{"temperature": 0.2}')
    assert llm_environment()["extra_body"] == {"temperature": 0.2}
    for wrong in ("[1]", "temperature"):
        monkeypatch.setenv("LLM_EXTRA_BODY", wrong)
        with pytest.raises(ImproperlyConfigured, match="LLM_EXTRA_BODY"):
            llm_environment()


def test_an_api_that_nobody_speaks_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_API", "telepatia")
    with pytest.raises(ImproperlyConfigured, match="telepatia"):
        llm_environment()
