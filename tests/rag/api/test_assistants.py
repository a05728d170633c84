"""Assistants exist for those who may read what they search."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from ingestion.models import Collection
from rag.models import Assistant


@pytest.fixture
def assistants(public: Collection, restricted: Collection) -> None:
    Assistant.objects.create(name="Ogólny", slug="ogolny")
    Assistant.objects.create(name="Publiczny", slug="publiczny").collections.add(public)
    Assistant.objects.create(name="Tajny", slug="tajny").collections.add(restricted)
    Assistant.objects.create(name="Wspólny", slug="wspolny").collections.add(public, restricted)


def listed(client: Client) -> set[str]:
    return {assistant["slug"] for assistant in client.get("/api/assistants").json()}


@pytest.mark.usefixtures("assistants")
def test_an_assistant_of_closed_collections_is_not_listed(client: Client, employee: User, member: User) -> None:
    assert listed(client) == {"ogolny", "publiczny", "wspolny"}
    client.force_login(employee)
    assert listed(client) == {"ogolny", "publiczny", "wspolny"}
    client.force_login(member)
    assert listed(client) == {"ogolny", "publiczny", "wspolny", "tajny"}


@pytest.mark.usefixtures("assistants")
@pytest.mark.parametrize("path", ["/api/search", "/api/ask"])
def test_a_closed_assistant_is_answered_like_one_that_is_not_there(client: Client, path: str) -> None:
    question = {"query": "urlop", "question": "urlop"}
    answers = [
        client.post(path, question | {"assistant": slug}, content_type="application/json")
        for slug in ("tajny", "tajna")
    ]
    assert answers[0].status_code == answers[1].status_code == 404
    assert answers[0].json()["code"] == answers[1].json()["code"] == "unknown_assistant"


@pytest.mark.usefixtures("assistants")
def test_the_form_of_an_assistant_names_no_closed_collection(
    client: Client, employee: User, restricted: Collection
) -> None:
    employee.is_staff = True
    employee.save()
    employee.user_permissions.set(Permission.objects.filter(codename__in=["view_assistant", "change_assistant"]))
    client.force_login(employee)
    for assistant in Assistant.objects.all():
        page = client.get(f"/admin/rag/assistant/{assistant.pk}/change/", follow=True).content.decode()
        assert restricted.name not in page
    assert "Tajny" not in client.get("/admin/rag/assistant/").content.decode()
    open_one = Assistant.objects.get(slug="ogolny")
    form = {"name": "Ogólny", "slug": "ogolny", "parts": "{}", "collections": [restricted.pk]}
    client.post(f"/admin/rag/assistant/{open_one.pk}/change/", form)
    assert not open_one.collections.exists()
