"""An assistant is set up by named fields, and tried before it is saved."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from ingestion.models import Collection
from rag.models import Assistant, Exchange
from tests.conftest import index_text

pytestmark = pytest.mark.django_db


def form(**fields: Any) -> dict[str, Any]:
    return {"name": "Kadry", "slug": "kadry", "parts": "{}", "suggestions": ""} | fields


def test_parts_with_a_name_need_no_json(client: Client, superuser: User) -> None:
    client.force_login(superuser)
    given = form(
        parts='{"alike_above": 0.9}', part_related="0", part_glossary="false", suggestions="Ile?\n\nKiedy?\nIle?"
    )
    assert client.post(reverse("admin:rag_assistant_add"), given).status_code == 302
    assistant = Assistant.objects.get()
    assert assistant.parts == {"alike_above": 0.9, "related": 0, "glossary": False}
    assert assistant.suggestions == ["Ile?", "Kiedy?"]
    address = reverse("admin:rag_assistant_change", args=[assistant.pk])
    shown = client.get(address).context["adminform"].form
    assert (shown["part_related"].value(), shown["part_glossary"].value()) == (0, "false")
    assert shown["parts"].value() == '{"alike_above": 0.9}'
    client.post(address, form(part_neighbours="2"))
    assistant.refresh_from_db()
    assert assistant.parts == {"neighbours": 2}
    assert "part_related" in client.post(address, form(part_related="9")).context["adminform"].form.errors
    assert "Ile?" not in client.get("/?assistant=kadry").content.decode()  # they were taken away


def test_a_trial_answers_by_the_form_within_the_rights_of_its_editor_and_keeps_nothing(
    client: Client, employee: User, public: Collection, restricted: Collection
) -> None:
    index_text(public, "Urlop trwa 26 dni.", name="urlopy.txt", title="Urlopy")
    index_text(restricted, "Premia wynosi 500 zł.", name="premie.txt", title="Premie")
    employee.is_staff = True
    employee.save()
    employee.user_permissions.set(Permission.objects.filter(codename__in=["view_assistant", "add_assistant"]))
    client.force_login(employee)
    address = reverse("admin:rag_assistant_trial")
    asked = form(question="Ile trwa urlop?", whole="1", fragment="1")
    answer = client.post(address, asked).content.decode()
    assert "26 dni" in answer
    assert "Urlopy" in answer
    assert "500 zł" not in client.post(address, asked | {"question": "Ile wynosi premia?"}).content.decode()
    assert "kt-failure" in client.post(address, asked | {"parts": '{"nic": 1}'}).content.decode()
    assert not Assistant.objects.exists()
    assert not Exchange.objects.exists()
    employee.user_permissions.clear()
    assert client.post(address, asked).status_code == 403
    saved = Assistant.objects.create(name="Tajny", slug="tajny")
    saved.collections.add(restricted)
    assert client.post(address, asked | {"assistant": saved.pk}).status_code in (403, 404)
