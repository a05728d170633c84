"""How confidence is called on the reader's page."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ingestion.models import Collection
from rag.answering.verification.assurance import assurance
from tests.rag.chat.conversations.talks import said, talk


@pytest.mark.parametrize(
    ("confidence", "words"),
    [
        (1.0, "odpowiedź pewna"),
        (0.8, "odpowiedź pewna"),
        (0.7999, "odpowiedź prawdopodobna"),
        (0.5, "odpowiedź prawdopodobna"),
        (0.4999, "sprawdź w źródle"),
        (0.0, "sprawdź w źródle"),
    ],
)
def test_confidence_has_three_names(confidence: float, words: str) -> None:
    assert assurance(confidence).words == words


@pytest.mark.parametrize(("confidence", "words"), [(0.83, "odpowiedź pewna"), (0.31, "sprawdź w źródle")])
def test_the_page_says_it_in_words_and_explains_them(
    client: Client, employee: User, public: Collection, confidence: float, words: str
) -> None:
    client.force_login(employee)
    kept = said(talk(employee), "Ile trwa urlop?", "26 dni.", collections=(public,), confidence=confidence)
    page = client.get(f"/c/{kept.conversation_id}/").content.decode()
    assert words in page
    assert page.count("Na dziesięć takich odpowiedzi") == 2  # beside it, and on hover
    assert not re.search(r"\d+ ?%", page)


@pytest.mark.parametrize("outcome", ["not_found", "not_certain", "direct"])
def test_what_is_no_answer_from_sources_is_not_called_sure(
    client: Client, employee: User, public: Collection, outcome: str
) -> None:
    client.force_login(employee)
    kept = said(talk(employee), "Ile?", "Tak.", collections=(public,), confidence=0.9, outcome=outcome)
    assert 'class="assurance' not in client.get(f"/c/{kept.conversation_id}/").content.decode()
