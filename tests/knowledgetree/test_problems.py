"""Errors that nobody expected, as a client of the API sees them."""

import json
import logging

import pytest
from django.test import Client

from ingestion.api import documents


class Unexpected(Exception):
    pass


def test_an_unexpected_error_is_a_problem_with_the_number_the_log_has_it_under(
    db: None, client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise Unexpected("Polska język trudna język")

    monkeypatch.setattr(documents.DocumentListView, "get_queryset", broken)
    with caplog.at_level(logging.ERROR, logger="knowledgetree.api"):
        response = client.get("/api/documents", headers={"x-request-id": "abc123"})
    assert response.status_code == 500
    assert response.headers["Content-Type"] == "application/problem+json"
    problem = json.loads(response.content)
    assert problem["code"] == "unexpected"
    assert problem["trace_id"] == "abc123"
    assert "abc123" in problem["remedy"]
    assert "Polska" not in response.content.decode()
    [record] = [record for record in caplog.records if record.name == "knowledgetree.api"]
    assert record.exc_info is not None
    assert record.exc_info[0] is Unexpected
