"""Traces of real processes: a streamed answer, and an upload whose job another process does, each one trace."""

from pathlib import Path

import httpx
import pytest

from tests.embedded import furnished_installation
from tests.installation import wait_until
from tests.otlp_server import OtlpServer

pytestmark = pytest.mark.slow

_QUESTION = {"question": "Ile wynosi opłata skarbowa za pełnomocnictwo?"}


def test_a_streamed_answer_and_a_job_are_each_one_trace(furnished: Path, tmp_path: Path) -> None:
    with (
        OtlpServer() as collector,
        furnished_installation(
            furnished, tmp_path / "var", WORKERS="1",
            OTEL_EXPORTER_OTLP_ENDPOINT=collector.url, OTEL_SERVICE_NAME="urzad", OTEL_BSP_SCHEDULE_DELAY="200",
        ) as site,
    ):  # fmt: skip
        site.manage("shell", "-v", "0", "-c", _MAKE)
        key = site.manage("api_key", "make", "proba", "--user", "szef", "--scope", "ask", "documents:write")
        client = httpx.Client(
            base_url=site.start_web(), headers={"Authorization": f"Bearer {key.stdout.strip()}"}, timeout=120
        )
        site.start("manage.py", "worker")

        streamed = client.post("/api/ask", json=_QUESTION, headers={"Accept": "text/event-stream"})
        assert "17 zł" in streamed.text
        wait_until(lambda: bool(collector.named("question")))
        (question,) = collector.named("question")
        wait_until(lambda: collector.above(question) == ["POST /api/ask"])
        assert question.trace_id.hex() == streamed.headers["X-Request-ID"]

        sent = client.post(
            "/api/documents", files={"file": ("nowy.md", "# Nowy\n\nTreść.")}, data={"collection": "kadry"}
        )
        assert sent.status_code == 202, sent.text
        wait_until(lambda: bool(collector.named("index_document")))
        (job,) = collector.named("index_document")
        wait_until(lambda: collector.above(job) == ["POST /api/documents"])
        assert job.trace_id.hex() == sent.headers["X-Request-ID"]
        assert collector.services == {"urzad"}


_MAKE = "from django.contrib.auth.models import User; User.objects.create_superuser('szef')"
