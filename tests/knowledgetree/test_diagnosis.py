"""What `doctor` says of what is missing."""

from typing import Any

import pytest
from django.test import override_settings

from ingestion.models import LexiconPack
from ingestion.services.lexicon.packs import shipped_packs
from ingestion.services.lexicon.upgrade import load_packs
from knowledgetree.diagnosis import diagnose
from knowledgetree.encryption import encrypt_secret
from knowledgetree.readiness import Check
from rag.models import LanguageModelServer, MonthlyBudget


def lexicon() -> Check:
    return next(check for check in diagnose() if check.name == "lexicon")


@pytest.mark.django_db
def test_a_lexicon_that_is_not_loaded_is_named_with_its_remedy() -> None:
    LexiconPack.objects.all().delete()

    missing = lexicon()
    assert missing.well is None
    assert "load_lexicon" in missing.remedy


@pytest.mark.slow
@pytest.mark.django_db
def test_a_lexicon_of_another_version_is_named_until_it_is_loaded_anew() -> None:
    load_packs(shipped_packs()[:1])
    LexiconPack.objects.update(digest="other")
    assert lexicon().well is None

    load_packs(shipped_packs())
    assert (lexicon().well, lexicon().remedy) == (True, "")


def language_model() -> Check:
    return next(check for check in diagnose() if check.name == "language_model")


@pytest.mark.django_db
def test_every_model_is_told_with_its_api_and_server(settings: Any) -> None:
    bielik = {"api": "chat_completions", "base_url": "http://ja:haslo@bielik.local:11434/v1"}
    models = {"expansion": {"server": "bielik", "model": "maly"}}
    llm = {"api_key": "klucz", "model": "duzy", "fast_model": "duzy", "servers": {"bielik": bielik}, "models": models}
    settings.RAG = {**settings.RAG, "llm": llm}
    told = "duzy (Messages API, api.anthropic.com); maly (Chat Completions API, bielik.local:11434)"
    assert (language_model().well, language_model().detail) == (True, told)


@pytest.mark.django_db
def test_a_server_whose_model_is_not_named_is_a_fault(settings: Any) -> None:
    settings.RAG = {**settings.RAG, "llm": {"api": "chat_completions", "base_url": "http://127.0.0.1:9", "model": ""}}
    assert language_model().well is False
    assert "LLM_MODEL" in language_model().remedy


@pytest.mark.django_db
def test_a_budget_that_is_used_up_is_named() -> None:
    assert not [check for check in diagnose() if check.name == "budget"]
    MonthlyBudget.objects.create(dollars=0)
    (check,) = [check for check in diagnose() if check.name == "budget"]
    assert check.well is False


@pytest.mark.django_db
def test_a_key_that_cannot_be_decrypted_is_named_with_its_remedy() -> None:
    LanguageModelServer.objects.create(name="główny", encrypted_key=encrypt_secret("klucz"))
    with override_settings(SECRET_KEY="inny"):
        (check,) = [check for check in diagnose() if check.name == "language_model_key"]
    assert "główny" in check.detail
    assert "ENCRYPTION_KEY_FALLBACKS" in check.remedy
