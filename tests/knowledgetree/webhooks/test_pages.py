"""Webhooks are set up by superusers, tried before anybody relies on them, and followed."""

import re

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.test import Client, override_settings
from django.utils import timezone
from standardwebhooks import Webhook as Receiver

from knowledgetree.events.announcing import announce
from knowledgetree.events.registry import AnnouncedEvent
from knowledgetree.webhooks.models import Webhook, WebhookDelivery
from tests.web_site import Page, WebSite

LIST = "/admin/knowledgetree/webhook/"
_SECRET = re.compile(r"whsec_[\w+/=]+")


@pytest.fixture
def chief(superuser: User) -> Client:
    client = Client()
    client.force_login(superuser)
    return client


def made(client: Client, url: str) -> tuple[Webhook, str]:
    page = client.post(f"{LIST}add/", {"name": "czat", "url": url, "events": ["gap.opened"]}).content.decode()
    found = _SECRET.search(page)
    assert found, page
    return Webhook.objects.get(), found.group()


def test_a_secret_is_shown_once(chief: Client) -> None:
    webhook, secret = made(chief, "https://93.184.216.34/hak")
    assert secret not in chief.get(f"{LIST}{webhook.pk}/change/").content.decode()
    assert webhook.encrypted_secret not in chief.get(f"{LIST}{webhook.pk}/change/").content.decode()


def test_another_secret_is_another(chief: Client) -> None:
    webhook, secret = made(chief, "https://93.184.216.34/hak")
    chosen = {"action": "replace", "_selected_action": [webhook.pk]}
    found = _SECRET.search(chief.post(LIST, chosen).content.decode())
    assert found
    assert found.group() != secret


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/hak", "http://10.0.0.7/", "ftp://example.pl", "https://93.184.216.34:22/"]
)
def test_an_address_that_is_never_sent_to_is_refused_at_once(chief: Client, url: str) -> None:
    response = chief.post(f"{LIST}add/", {"name": "czat", "url": url, "events": ["gap.opened"]})
    assert "url" in response.context["adminform"].form.errors
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    ("page", "said"), [(Page(status=200), "odpowiedział 200"), (Page("nie", status=500), "500: nie")]
)
def test_the_button_sends_a_message_and_says_what_came_of_it(chief: Client, page: Page, said: str) -> None:
    with WebSite({"/hak": page}) as site:
        allowed = {"allowed_networks": ["127.0.0.0/8"], "ports": [site.port]}
        with override_settings(RAG={**settings.RAG, "webhooks": allowed}):
            webhook, secret = made(chief, f"{site.url}/hak")
            shown = chief.post(f"{LIST}{webhook.pk}/test/", follow=True).content.decode()
    assert said in shown
    (request,) = site.requests
    headers = {name.lower(): value for name, value in request.headers.items()}
    assert Receiver(secret).verify(request.body, headers)["type"] == "test"


def test_the_start_page_says_that_one_was_switched_off_until_it_is_on_again(chief: Client) -> None:
    webhook, _secret = made(chief, "https://93.184.216.34/hak")
    assert "został wyłączony" not in chief.get("/admin/").content.decode()
    Webhook.objects.update(active=False, switched_off=timezone.now())
    assert "„czat” nic nie odebrał" in chief.get("/admin/").content.decode()
    form = {"name": "czat", "url": webhook.url, "events": ["gap.opened"], "active": "on"}
    chief.post(f"{LIST}{webhook.pk}/change/", form)
    webhook.refresh_from_db()
    assert (webhook.active, webhook.switched_off) == (True, None)


def test_a_message_is_followed_and_sent_again(chief: Client) -> None:
    made(chief, "https://93.184.216.34/hak")
    (delivery,) = announce(AnnouncedEvent.GAP_OPENED, gap=1)
    WebhookDelivery.objects.update(status="failed", due=None, attempts=6)
    messages = "/admin/knowledgetree/webhookdelivery/"
    assert "gap.opened" in chief.get(f"{messages}{delivery.pk}/change/").content.decode()
    chief.post(messages, {"action": "send", "_selected_action": [str(delivery.pk)]})
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts) == ("waiting", 0)


@pytest.mark.parametrize("address", [LIST, f"{LIST}add/", "/admin/knowledgetree/webhookdelivery/"])
def test_who_is_no_superuser_sees_none(db: None, address: str) -> None:
    user = User.objects.create_user("redaktor", is_staff=True)
    user.user_permissions.set(Permission.objects.all())
    client = Client()
    client.force_login(user)
    assert client.get(address).status_code == 403
    assert "webhook" not in client.get("/admin/").content.decode()
