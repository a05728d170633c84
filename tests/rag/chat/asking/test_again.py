"""A question asked once more, and one that is worded otherwise."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from rag.models import Exchange
from tests.conftest import index_text, make_public

pytestmark = pytest.mark.django_db


def test_a_question_asked_again_is_understood_as_if_it_had_not_been_asked(client: Client, employee: User) -> None:
    index_text(make_public(), "Urlop wypoczynkowy trwa 20 dni, po roku pracy 26 dni.", name="urlopy.txt")
    client.force_login(employee)
    client.post("/ask/", {"question": "Ile trwa urlop wypoczynkowy?"})
    talk = str(Exchange.objects.get().conversation_id)
    client.post("/ask/", {"question": "A po roku?", "conversation": talk})
    client.post("/ask/", {"question": "co innego", "again": "A po roku?", "conversation": talk})
    _first, second, third = Exchange.objects.all()
    assert third.question == "A po roku?"
    assert third.searched == second.searched != ""
    assert third.metrics["cache"] == ""


def test_without_javascript_a_question_comes_back_into_the_box(client: Client, employee: User) -> None:
    index_text(make_public(), "Urlop trwa 26 dni.", name="urlopy.txt")
    client.force_login(employee)
    page = client.post("/ask/", {"question": "Ile trwa urlop?"}, follow=True)
    assert 'href="?q=Ile%20trwa%20urlop%3F#question"' in page.content.decode()
    address = page.redirect_chain[-1][0].partition("#")[0]
    assert "Ile trwa urlop?</textarea>" in client.get(f"{address}?q=Ile+trwa+urlop?").content.decode()
    assert "Ile trwa urlop?</textarea>" not in client.get(address).content.decode()
