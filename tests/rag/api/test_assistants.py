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


JSON = "application/json"


def test_an_assistant_is_set_up_changed_and_deleted(client: Client, superuser: User, public: Collection) -> None:
    client.force_login(superuser)
    body = {"slug": "kadry", "name": "Kadry", "collections": [public.slug], "parts": {"related": 2}}
    made = client.post("/api/assistants", body, content_type=JSON)
    assert made.status_code == 201, made.content
    changed = client.patch("/api/assistants/kadry", {"preset": "offline", "enabled": False}, content_type=JSON)
    assert changed.status_code == 200, changed.content
    assert (changed.json()["parts"], changed.json()["collections"]) == ({"related": 2}, [public.slug])
    assert listed(client) == set()
    stale = client.delete("/api/assistants/kadry", headers={"If-Match": '"dawny"'})
    assert stale.status_code == 412
    assert client.delete("/api/assistants/kadry").status_code == 204


@pytest.mark.usefixtures("assistants")
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"preset": "nikt"}, "preset"),
        ({"parts": {"related": "dużo"}}, "preset"),
        ({"parts": []}, "parts"),
        ({"slug": "inny"}, "slug"),
        ({"collections": ["nie-ma"]}, "collections"),
    ],
)
def test_what_an_assistant_cannot_be_is_named(
    client: Client, superuser: User, body: dict[str, object], field: str
) -> None:
    client.force_login(superuser)
    answer = client.patch("/api/assistants/ogolny", body, content_type=JSON)
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == [field]


@pytest.mark.usefixtures("assistants")
def test_editors_change_assistants_of_their_collections_alone(
    client: Client, employee: User, restricted: Collection
) -> None:
    employee.is_staff = True
    employee.save()
    employee.user_permissions.set(Permission.objects.filter(content_type__model="assistant"))
    client.force_login(employee)
    statuses = {slug: client.get(f"/api/assistants/{slug}").status_code for slug in ("tajny", "wspolny", "publiczny")}
    assert statuses == {"tajny": 404, "wspolny": 404, "publiczny": 200}
    closed = client.patch("/api/assistants/publiczny", {"collections": [restricted.slug]}, content_type=JSON)
    assert closed.json()["errors"][0]["field"] == "collections"
