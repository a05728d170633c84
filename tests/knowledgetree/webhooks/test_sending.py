"""Messages arrive, signed, at least once, and the receiver's troubles are its own."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.test import override_settings
from django.utils import timezone
from django_q.models import OrmQ
from standardwebhooks import Webhook as Receiver
from standardwebhooks import WebhookVerificationError

from knowledgetree.events.announcing import announce
from knowledgetree.events.registry import AnnouncedEvent
from knowledgetree.webhooks.keeping import create_webhook, replace_secret
from knowledgetree.webhooks.models import DeliveryAttempt, Webhook, WebhookDelivery
from knowledgetree.webhooks.sending import WAITS, forget_old, send_again, send_delivery, send_due, send_test
from tests.web_site import Page, Request, WebSite, redirect

Status = WebhookDelivery.Status
WELL, ILL = Page("dziękuję", status=204), Page("chwilowo nie", status=503)

pytestmark = pytest.mark.django_db


@contextmanager
def listening(page: Any = WELL) -> Iterator[tuple[WebSite, Webhook, str]]:
    """A receiver on this machine, allowed as an administrator would."""
    with WebSite({"/hak": page}) as site:
        allowed = {"allowed_networks": ["127.0.0.0/8"], "ports": [site.port]}
        with override_settings(RAG={**settings.RAG, "webhooks": allowed}):
            yield site, *create_webhook(name="czat", url=f"{site.url}/hak", events=["document.ready"])


def told() -> WebhookDelivery:
    (delivery,) = announce(AnnouncedEvent.DOCUMENT_READY, document=7, title="Regulamin „łąka”")
    return delivery


def when_due(delivery: WebhookDelivery) -> WebhookDelivery:
    """The next attempt, as if its time had come."""
    WebhookDelivery.objects.filter(pk=delivery.pk).update(due=timezone.now())
    send_delivery(str(delivery.pk))
    delivery.refresh_from_db()
    return delivery


def verified(request: Request, secret: str) -> Any:
    headers = {name.lower(): value for name, value in request.headers.items()}
    return Receiver(secret).verify(request.body, headers)


class TestAMessage:
    def test_it_is_what_standard_webhooks_reads(self) -> None:
        with listening() as (site, _webhook, secret):
            delivery = when_due(told())
        (request,) = site.requests
        assert (request.method, request.headers["Content-Type"]) == ("POST", "application/json")
        message = verified(request, secret)
        assert message["type"] == "document.ready"
        assert message["data"] == {"document": 7, "title": "Regulamin „łąka”"}
        assert request.headers["webhook-id"] == f"msg_{delivery.pk.hex}"
        assert (delivery.status, delivery.due) == (Status.DELIVERED, None)

    def test_another_s_is_not(self) -> None:
        with listening() as (site, webhook, secret):
            when_due(told())
            other = replace_secret(webhook)
        with pytest.raises(WebhookVerificationError):
            verified(site.requests[0], other)
        forged = Request(method="POST", path="/", headers=site.requests[0].headers, body=b'{"type": "document.ready"}')
        with pytest.raises(WebhookVerificationError):
            verified(forged, secret)

    def test_only_who_wants_it_gets_it(self) -> None:
        with listening() as (_site, webhook, _secret):
            assert announce(AnnouncedEvent.GAP_OPENED, gap=1) == []
            Webhook.objects.filter(pk=webhook.pk).update(active=False)
            assert announce(AnnouncedEvent.DOCUMENT_READY, document=1) == []

    def test_the_secret_is_not_in_the_database(self) -> None:
        with listening() as (_site, webhook, secret):
            assert secret.removeprefix("whsec_") not in webhook.encrypted_secret


class TestTrouble:
    def test_one_that_is_not_received_is_sent_again_under_its_number(self) -> None:
        replies = iter([ILL, WELL])
        with listening(lambda _request: next(replies)) as (site, _webhook, secret):
            delivery = when_due(told())
            assert (delivery.status, delivery.attempts) == (Status.WAITING, 1)
            assert delivery.due
            wait = delivery.due - timezone.now()
            assert WAITS[0] * 0.9 < wait < WAITS[0] * 1.2
            assert when_due(delivery).status == Status.DELIVERED
        assert len({request.headers["webhook-id"] for request in site.requests}) == 1
        assert len({request.body for request in site.requests}) == 1
        assert [verified(request, secret)["data"]["document"] for request in site.requests] == [7, 7]
        codes = DeliveryAttempt.objects.filter(delivery=delivery).values_list("code", "reply")
        assert list(codes) == [(503, "chwilowo nie"), (204, "")]

    def test_after_six_attempts_in_a_day_it_is_given_up_and_the_webhook_switched_off(self) -> None:
        with listening(ILL) as (site, webhook, _secret):
            delivery = told()
            for _attempt in range(6):
                delivery = when_due(delivery)
            send_due()
            webhook.refresh_from_db()
        assert len(site.requests) == 6
        assert (delivery.status, delivery.attempts) == (Status.FAILED, 6)
        assert (webhook.active, webhook.switched_off is not None) == (False, True)
        assert timedelta(hours=20) < sum(WAITS, timedelta()) < timedelta(days=1)

    def test_who_receives_other_messages_is_not_switched_off(self) -> None:
        with listening(ILL) as (_site, webhook, _secret):
            delivery = told()
            Webhook.objects.update(last_success=timezone.now() + timedelta(hours=1))
            for _attempt in range(6):
                when_due(delivery)
            webhook.refresh_from_db()
        assert webhook.active

    def test_who_says_gone_is_switched_off_at_once(self) -> None:
        with listening(Page(status=410)) as (site, webhook, _secret):
            Webhook.objects.update(last_success=timezone.now() + timedelta(hours=1))
            assert when_due(told()).status == Status.FAILED
            webhook.refresh_from_db()
        assert len(site.requests) == 1
        assert not webhook.active

    def test_what_waits_for_one_that_was_switched_off_goes_when_it_is_on_again(self) -> None:
        with listening() as (site, _webhook, _secret):
            told()
            Webhook.objects.update(active=False)
            assert send_due() == 0
            Webhook.objects.update(active=True)
            assert send_due() == 1
        assert len(site.requests) == 1

    def test_a_redirect_is_not_followed(self) -> None:
        with listening(redirect("/gdzie-indziej")) as (site, _webhook, _secret):
            assert when_due(told()).status == Status.WAITING
        assert site.paths == ["/hak"]

    def test_an_endless_reply_is_not_waited_for(self) -> None:
        def endless() -> Iterator[bytes]:
            while True:
                yield b"x" * 1000

        with listening(Page(endless)) as (_site, _webhook, _secret):
            assert when_due(told()).status == Status.DELIVERED
        assert len(DeliveryAttempt.objects.get().reply) == 500

    def test_a_network_of_ours_is_left_alone_unless_it_is_allowed(self) -> None:
        with listening() as (site, _webhook, _secret):
            delivery = told()
            with override_settings(RAG={**settings.RAG, "webhooks": {"ports": [site.port]}}):
                assert when_due(delivery).status == Status.WAITING
        assert site.requests == []
        assert "127.0.0.1" in DeliveryAttempt.objects.get().error


class TestNothingIsLost:
    def test_what_is_rolled_back_is_not_told(self) -> None:
        with listening() as (site, _webhook, _secret):
            with transaction.atomic():
                told()
                transaction.set_rollback(True)
            assert send_due() == 0
        assert site.requests == []

    def test_the_queue_hears_of_it_when_the_transaction_is_committed(
        self, django_capture_on_commit_callbacks: Any
    ) -> None:
        with listening():
            with django_capture_on_commit_callbacks(execute=True):
                delivery = told()
                assert not OrmQ.objects.exists()
            (task,) = OrmQ.objects.all()
        assert task.task["args"] == (str(delivery.pk),)

    def test_what_the_queue_never_heard_of_is_found_in_a_minute(self) -> None:
        with listening() as (site, _webhook, _secret):
            told()
            assert send_due() == 1
            assert send_due() == 0
        assert len(site.requests) == 1

    def test_what_a_killed_worker_had_begun_is_sent_by_another(self) -> None:
        """Claimed, and nothing came of it: the claim ends."""
        with listening() as (site, _webhook, _secret):
            delivery = told()
            WebhookDelivery.objects.update(attempts=1, due=timezone.now() + timedelta(minutes=2))
            send_delivery(str(delivery.pk))
            assert site.requests == []
            assert when_due(delivery).status == Status.DELIVERED

    def test_two_workers_send_it_once(self) -> None:
        with listening() as (site, _webhook, _secret):
            delivery = told()
            send_delivery(str(delivery.pk))
            send_delivery(str(delivery.pk))
        assert len(site.requests) == 1

    def test_one_that_is_over_can_be_sent_again_under_its_number(self) -> None:
        with listening() as (site, _webhook, _secret):
            delivery = when_due(told())
            assert send_again([delivery.pk]) == 1
            assert send_due() == 1
        first, second = site.requests
        assert first.headers["webhook-id"] == second.headers["webhook-id"]

    def test_only_what_is_over_is_forgotten(self) -> None:
        with listening():
            over, waiting = told(), told()
            when_due(over)
            WebhookDelivery.objects.update(created=timezone.now() - timedelta(days=90))
            forget_old()
        assert WebhookDelivery.objects.get() == waiting


class TestTheTestButton:
    def test_it_says_what_the_receiver_answered_even_where_it_is_not_in_use(self) -> None:
        with listening() as (site, webhook, secret):
            Webhook.objects.update(active=False)
            assert send_test(webhook).code == 204
        message = verified(site.requests[0], secret)
        assert (message["type"], message["data"]) == ("test", {"webhook": webhook.pk})

    def test_one_that_fails_is_not_tried_again(self) -> None:
        with listening(ILL) as (_site, webhook, _secret):
            assert send_test(webhook).code == 503
            assert send_due() == 0
        assert json.loads(WebhookDelivery.objects.get().body)["type"] == "test"
