"""What was asked before signing in, and what was reported and is answered by now."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ingestion.models import Collection
from rag.models import Conversation, Exchange, GapReport
from rag.services.gaps import change_gap, open_gap
from tests.conftest import index_text

pytestmark = pytest.mark.django_db


def test_questions_asked_before_signing_in_belong_to_the_account(client: Client, public: Collection) -> None:
    reader = User.objects.create_user("anna", password="Bardzo-tajne-1")
    index_text(public, "Urlop trwa 26 dni.", name="urlopy.txt")
    client.post("/ask/", {"question": "Ile trwa urlop?"})
    client.post("/ask/", {"question": "Kto wygrał mecz?"})
    unanswered = Exchange.objects.get(question="Kto wygrał mecz?")
    client.post("/gaps/", {"exchange": str(unanswered.pk)})
    client.post("/login/", {"login": "anna", "password": "Bardzo-tajne-1"})
    assert set(Conversation.objects.values_list("owner__username", flat=True)) == {"anna"}
    assert GapReport.objects.get().user == reader
    assert b"Ile trwa urlop?" in client.get("/").content
    assert Client().get(f"/c/{unanswered.conversation_id}/").status_code == 404


def test_who_reported_a_gap_is_told_of_the_answer_once(
    client: Client, employee: User, public: Collection, restricted: Collection
) -> None:
    index_text(public, "Urlop trwa 26 dni.", name="urlopy.txt")
    client.force_login(employee)
    client.post("/ask/", {"question": "Kto wygrał mecz?"})
    asked = Exchange.objects.get()
    client.post("/gaps/", {"exchange": str(asked.pk)})
    gap = open_gap(exchanges=[asked.pk])
    notice = b'class="filled-gap"'
    assert notice not in client.get("/").content
    answer = index_text(public, "Mecz wygrała Lipovia.", name="mecz.txt", title="Wyniki meczów")
    change_gap(gap=gap, change={"status": "answered", "answered_by": answer})
    page = client.get("/").content
    assert notice in page
    assert f'href="/documents/{answer.pk}/"'.encode() in page
    answer.collection = restricted
    answer.save()
    assert f'href="/documents/{answer.pk}/"'.encode() not in client.get("/").content
    report = GapReport.objects.get()
    Client().post(f"/gaps/{report.pk}/told/")
    assert notice in client.get("/").content
    client.post(f"/gaps/{report.pk}/told/")
    assert notice not in client.get("/").content
