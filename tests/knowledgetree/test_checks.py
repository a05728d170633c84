"""What is wrong with the configuration is said before the first question fails."""

from importlib import import_module
from typing import Any

import pytest
from django.conf import settings
from django.core.checks import run_checks


def identifiers() -> set[str | None]:
    return {message.id for message in run_checks() if str(message.id).startswith("knowledgetree.")}


def test_the_shipped_settings_are_right() -> None:
    assert identifiers() == set()


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"second_pdf_extractor": "docling"}, "knowledgetree.E004"),
        ({"chunking": {"chunker": "magic"}}, "knowledgetree.E006"),
        ({"chunking": {"collections": {"kadry": "magic"}}}, "knowledgetree.E006"),
    ],
)
def test_names_that_nothing_has_are_named(settings: Any, parts: dict[str, Any], said: str) -> None:
    settings.RAG = {**settings.RAG, "ingestion": {**settings.RAG["ingestion"], **parts}}
    assert identifiers() == {said}


def test_a_network_for_metrics_must_be_one(settings: Any) -> None:
    settings.METRICS_NETWORKS = ["10.0.0.0/8", "biuro"]
    assert identifiers() == {"knowledgetree.E007"}


@pytest.mark.parametrize(("secret", "said"), [("", set()), ("x" * 32, set()), ("x" * 31, {"knowledgetree.E012"})])
def test_a_secret_of_user_tokens_is_long(settings: Any, secret: str, said: set[str]) -> None:
    settings.OPENWEBUI_JWT_SECRET = secret
    assert identifiers() == said


def test_no_check_has_anything_to_say_where_all_pages_are_registered() -> None:
    """Commands run ours alone, and the admin's pages are registered with the addresses."""
    import_module(settings.ROOT_URLCONF)
    assert run_checks() == []
