"""What is streamed is recorded too, by the thread that writes the stream."""

import asyncio
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.db import connections
from django.test import AsyncClient
from pytest_django.fixtures import Settings

from knowledgetree.audit.models import AuditEntry
from tests.ingestion.api.library import make_library

QUESTION = "Ile dni urlopu wypoczynkowego przysługuje pracownikowi?"
BODIES = {
    "/api/ask": {"question": QUESTION, "stream": True},
    "/v1/chat/completions": {
        "model": "knowledgetree", "stream": True, "messages": [{"role": "user", "content": QUESTION}],
    },
}  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_a_stream_is_in_the_log_when_it_has_ended(settings: Settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path
    user = make_library().viewers["member"]
    assert isinstance(user, User)

    async def read() -> None:
        client = AsyncClient()
        await client.aforce_login(user)
        named = {"X-Request-ID": "a1b2c3"}
        for address, body in BODIES.items():
            response = await client.post(address, body, content_type="application/json", headers=named)
            assert response.streaming
            assert b"20 dni" in b"".join([part async for part in response.streaming_content])
        response = await client.post("/ask/stream/", {"question": QUESTION}, headers=named)
        assert b"20 dni" in b"".join([part async for part in response.streaming_content])
        await sync_to_async(connections.close_all)()

    asyncio.run(read())
    entries = AuditEntry.objects.filter(action=AuditEntry.Action.ASK).order_by("pk")
    assert [(entry.door, entry.user_name, entry.outcome) for entry in entries] == [
        ("api", "member", "answered"), ("openai", "member", "answered"), ("page", "member", "answered"),
    ]  # fmt: skip
    assert {entry.trace for entry in entries} == {"a1b2c3"}
