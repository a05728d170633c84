"""JSON from anybody, too large or too deep: a problem, never an error of ours."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django_q.models import OrmQ, Schedule

from knowledgetree.diagnosis import diagnose
from knowledgetree.http.json_body import MOST_BYTES

pytestmark = pytest.mark.django_db
ADDRESSES = ["/api/search", "/api/ask", "/api/feedback"]


def post(client: Client, address: str, body: str) -> Any:
    return client.post(address, body, content_type="application/json")


def nested(levels: int) -> str:
    return '{"query": "x", "question": "x", "filters": {"metadata": ' + '{"a": ' * levels + "1" + "}" * levels + "}}"


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("body", [nested(100_000), nested(900), "[" * 200_000, "[" * 300 + "]" * 300])
def test_nested_json_is_refused(client: Client, address: str, body: str) -> None:
    response = post(client, address, body)
    assert response.status_code == 400
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["code"] == "parse_error"


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_large_body_is_refused_before_it_is_read(client: Client, address: str) -> None:
    response = post(client, address, json.dumps({"query": "a" * MOST_BYTES}))
    assert response.status_code == 413
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["code"] == "body_too_large"


def test_what_people_ask_is_neither(client: Client) -> None:
    assert post(client, "/api/search", nested(3)).status_code == 200


def test_nested_metadata_in_an_address_are_refused(client: Client) -> None:
    address = {"query": "x", "metadata": '{"a": ' * 300 + "1" + "}" * 300}
    assert client.get("/api/search", address).status_code == 400


@pytest.mark.parametrize("query", ["version=%00", "version=%0d%0aX-Own:1", "lang=%00", "format=%00"])
def test_the_schema_writes_nothing_of_the_caller_into_a_header(client: Client, query: str) -> None:
    response = client.get(f"/api/schema/?{query}")
    assert response.status_code in (200, 404)
    assert all(character.isprintable() for _, value in response.items() for character in value)


def test_doctor_counts_no_ticket_that_is_being_worked_on() -> None:
    Schedule.objects.all().delete()  # a worker that runs would take it at once
    later = timezone.now() + timedelta(hours=1)
    OrmQ.objects.create(key="knowledgetree", payload="x", lock=later)
    [worker] = [finding for finding in diagnose() if finding.subject == "Proces roboczy"]
    assert worker.well is None
    OrmQ.objects.create(key="knowledgetree", payload="x", lock=timezone.now())
    [worker] = [finding for finding in diagnose() if finding.subject == "Proces roboczy"]
    assert worker.well is False
    assert worker.detail.endswith(": 1")
