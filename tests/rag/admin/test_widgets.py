"""The page of a widget: origins as browsers write them, the tag to copy, a preview; for editors of its assistant."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from ingestion.models import Collection
from rag.models import Assistant, Widget
from tests.rag.api.widget.visitors import make_widget

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor(client: Client) -> User:
    user = User.objects.create_user("redaktor", password="haslo", is_staff=True)
    wanted = Permission.objects.filter(content_type__app_label="rag", content_type__model="widget")
    user.user_permissions.set(wanted)
    client.force_login(user)
    return user


@pytest.fixture
def widget(public: Collection) -> Widget:
    return make_widget(public)


def change(client: Client, widget: Widget, **fields: str) -> Any:
    form = {"name": widget.name, "assistant": widget.assistant_id, "enabled": "on", **fields}
    return client.post(reverse("admin:rag_widget_change", args=[widget.pk]), form)


def test_origins_are_kept_as_browsers_write_them(client: Client, editor: User, widget: Widget) -> None:
    written = "HTTPS://Gmina.Example.pl/\n\n https://gmina.example.pl\nhttp://localhost:8000"
    assert change(client, widget, origins=written).status_code == 302
    widget.refresh_from_db()
    assert widget.origins == ["https://gmina.example.pl", "http://localhost:8000"]


@pytest.mark.parametrize(
    ("field", "written"),
    [("origins", "https://*.example.pl"), ("origins", "gmina.example.pl"), ("suggestions", "1\n2\n3\n4\n5")],
)
def test_what_does_not_fit_is_said_at_its_field(
    client: Client, editor: User, widget: Widget, field: str, written: str
) -> None:
    page = change(client, widget, **{field: written})
    assert page.status_code == 200
    assert list(page.context["adminform"].form.errors) == [field]


def test_the_page_has_the_tag_to_copy(client: Client, editor: User, widget: Widget) -> None:
    page = client.get(reverse("admin:rag_widget_change", args=[widget.pk])).content.decode()
    shown = re.search(r'<textarea id="widget-tag"[^>]*>(.*?)</textarea>', page, re.S)
    assert shown
    assert "http://testserver/static/widget/widget.js" in shown[1]
    assert f"data-widget=&quot;{widget.public_id}&quot;" in shown[1]


def test_a_widget_that_answers_nobody_says_so(client: Client, editor: User, widget: Widget) -> None:
    address = reverse("admin:rag_widget_change", args=[widget.pk])
    assert client.get(address).context["panel"]["answers"] is True
    Assistant.objects.update(enabled=False)
    assert client.get(address).context["panel"]["answers"] is False


def test_the_preview_is_a_page_under_a_strict_policy(client: Client, editor: User, widget: Widget) -> None:
    page = client.get(reverse("admin:rag_widget_preview", args=[widget.pk]))
    assert f'data-widget="{widget.public_id}"' in page.content.decode()
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    assert "require-trusted-types-for 'script'" in page.headers["Content-Security-Policy"]


@pytest.mark.usefixtures("editor")
def test_what_searches_a_closed_collection_is_not_the_editors(client: Client, restricted: Collection) -> None:
    hidden = make_widget(restricted)
    assert hidden not in client.get(reverse("admin:rag_widget_changelist")).context["cl"].queryset
    for name in ("change", "preview"):
        assert client.get(reverse(f"admin:rag_widget_{name}", args=[hidden.pk])).status_code in (302, 404), name
    form = client.get(reverse("admin:rag_widget_add")).context["adminform"].form
    assert hidden.assistant not in form.fields["assistant"].queryset


def test_without_the_permission_there_is_no_page(client: Client, employee: User, widget: Widget) -> None:
    employee.is_staff = True
    employee.save()
    client.force_login(employee)
    for address in (
        reverse("admin:rag_widget_changelist"),
        reverse("admin:rag_widget_change", args=[widget.pk]),
        reverse("admin:rag_widget_preview", args=[widget.pk]),
    ):
        assert client.get(address).status_code == 403, address
