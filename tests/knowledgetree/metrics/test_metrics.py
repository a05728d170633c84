import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import timezone
from django_q.models import Schedule
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from ingestion.models import Collection, Job
from knowledgetree.metrics.counters import count_answer
from rag.events import Completed
from rag.services.ask import ask
from rag.services.ask_request import AskRequest
from rag.types import Answer, Metrics, Tokens
from tests.conftest import AddDocument

ROOT = Path(__file__).parents[3]


def scraped(client: Client) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    response = client.get("/metrics", headers={"Authorization": "Bearer sekret"})
    assert response.status_code == 200
    families = text_string_to_metric_families(response.content.decode())
    return {(s.name, tuple(sorted(s.labels.items()))): s.value for family in families for s in family.samples}


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


@pytest.fixture
def with_token(settings: Settings) -> None:
    settings.METRICS_TOKEN = "sekret"


class TestWhoMayRead:
    def test_nobody_unless_it_is_set(self, client: Client) -> None:
        assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404

    @pytest.mark.parametrize("given", ["", "sekret", "Bearer", "Bearer sekret2", "Basic sekret", "Bearer żółw"])
    @pytest.mark.usefixtures("with_token")
    def test_not_without_the_right_token(self, client: Client, given: str) -> None:
        response = client.get("/metrics", headers={"Authorization": given} if given else {})
        assert response.status_code == 401
        assert b"knowledgetree" not in response.content

    @pytest.mark.django_db
    @pytest.mark.usefixtures("with_token")
    def test_who_has_the_token(self, client: Client) -> None:
        response = client.get("/metrics", headers={"Authorization": "bearer sekret"})
        assert response.status_code == 200
        assert response["Content-Type"].startswith("text/plain; version=")
        assert "no-store" in response["Cache-Control"]

    @pytest.mark.django_db
    @pytest.mark.parametrize(
        ("address", "status"), [("10.1.2.3", 200), ("10.2.0.1", 401), ("::1", 200), ("", 401), ("unix", 401)]
    )
    def test_who_comes_from_an_allowed_network(
        self, client: Client, settings: Settings, address: str, status: int
    ) -> None:
        settings.METRICS_NETWORKS = ["10.1.0.0/16", "::1/128"]
        assert client.get("/metrics", REMOTE_ADDR=address).status_code == status

    def test_not_who_only_says_so(self, client: Client, settings: Settings) -> None:
        settings.METRICS_NETWORKS = ["10.1.0.0/16"]
        forged = client.get("/metrics", REMOTE_ADDR="203.0.113.9", headers={"X-Forwarded-For": "10.1.2.3"})
        assert forged.status_code == 401


ANSWER = Answer(
    question="Tajne pytanie?",
    text="Tajna odpowiedź.",
    outcome="answered",
    quality="MEDIUM",
    metrics=Metrics(
        latency={"lexical": 20.0, "total": 300.0},
        usage={"answer": Tokens(input=1000, output=50)},
        models={"answer": "claude"},
        costs={"answer": 0.02},
        cost=0.02,
        corrected=True,
        lexical_hits=0,
        preset="balanced",
    ),
)


def test_an_answer_counts_once_in_each_number() -> None:
    watched: list[tuple[str, dict[str, str], float]] = [
        ("knowledgetree_questions_total", {"outcome": "answered", "quality": "MEDIUM", "preset": "balanced"}, 1),
        ("knowledgetree_question_stage_seconds_sum", {"stage": "total"}, 0.3),
        ("knowledgetree_question_stage_seconds_bucket", {"stage": "total", "le": "0.25"}, 0),
        ("knowledgetree_question_stage_seconds_bucket", {"stage": "total", "le": "0.5"}, 1),
        ("knowledgetree_question_stage_seconds_count", {"stage": "lexical"}, 1),
        ("knowledgetree_searches_total", {}, 1),
        ("knowledgetree_searches_corrected_total", {}, 1),
        ("knowledgetree_searches_web_total", {}, 0),
        ("knowledgetree_searches_without_lexical_hit_total", {}, 1),
        ("knowledgetree_cache_hits_total", {"cache": "answers"}, 0),
        ("knowledgetree_llm_tokens_total", {"model": "claude", "step": "answer", "kind": "input"}, 1000),
        ("knowledgetree_llm_tokens_total", {"model": "claude", "step": "answer", "kind": "output"}, 50),
        ("knowledgetree_llm_cost_dollars_total", {"model": "claude", "step": "answer"}, 0.02),
    ]
    before = [value(name, **labels) for name, labels, _ in watched]
    count_answer(ANSWER)
    grown = [value(name, **labels) - was for (name, labels, _), was in zip(watched, before, strict=True)]
    assert grown == pytest.approx([by for _, _, by in watched])


def test_an_answer_from_a_cache_or_without_a_search_is_no_search() -> None:
    before = value("knowledgetree_searches_total"), value("knowledgetree_cache_hits_total", cache="answers")
    count_answer(Answer(question="?", text="!", outcome="answered", metrics=Metrics(cache="answers")))
    count_answer(Answer(question="?", text="!", outcome="direct"))
    assert value("knowledgetree_searches_total") == before[0]
    assert value("knowledgetree_cache_hits_total", cache="answers") == before[1] + 1


@pytest.mark.django_db
@pytest.mark.usefixtures("with_token")
def test_what_a_reader_asks_is_counted_and_what_is_measured_is_not(
    client: Client, public: Collection, index: AddDocument
) -> None:
    index(public, "Urlop wypoczynkowy trwa 26 dni w roku.")
    before = value("knowledgetree_searches_total"), value("knowledgetree_searches_without_lexical_hit_total")
    question, reader = "Ile trwa urlop wypoczynkowy?", AnonymousUser()
    for save in (True, False):
        *_, last = ask(AskRequest(question=question, viewer=reader, save=save, cached=False))
    assert isinstance(last, Completed)
    assert (last.answer.metrics.preset, last.answer.metrics.lexical_hits) == ("offline", 1)
    assert value("knowledgetree_searches_total") == before[0] + 1
    assert value("knowledgetree_searches_without_lexical_hit_total") == before[1]
    page = client.get("/metrics", headers={"Authorization": "Bearer sekret"}).content.decode().lower()
    assert "urlop" not in page
    assert "publiczna" not in page


@pytest.mark.django_db
@pytest.mark.usefixtures("with_token")
def test_the_state_is_that_of_the_database(client: Client, public: Collection, index: AddDocument) -> None:
    document = index(public, "Urlop wypoczynkowy trwa 26 dni w roku.")
    now = timezone.now()
    Job.objects.create(kind="sync_source", due=now + timedelta(hours=1))
    waiting = Job.objects.create(kind="index_document", document=document)
    Job.objects.filter(pk=waiting.pk).update(created=now - timedelta(seconds=90))
    Schedule.objects.update_or_create(name="knowledgetree: recover jobs", defaults={"next_run": now})
    numbers = scraped(client)
    assert numbers["knowledgetree_documents", (("status", "ready"),)] == 1
    assert numbers["knowledgetree_documents", (("status", "failed"),)] == 0
    assert numbers["knowledgetree_chunks", ()] == document.chunk_count == 1
    assert numbers["knowledgetree_jobs", (("status", "queued"),)] == 2
    assert numbers["knowledgetree_jobs", (("status", "succeeded"),)] == 1
    assert numbers["knowledgetree_job_oldest_queued_seconds", ()] == pytest.approx(90, abs=10)
    assert numbers["knowledgetree_worker_age_seconds", ()] >= 0


COUNTING = "from knowledgetree.metrics.counters import WEB; WEB.inc(3)"
READING = """
from knowledgetree.metrics.counters import WEB
from knowledgetree.metrics.views import _events
WEB.inc()
print(_events().decode())
"""


@pytest.mark.slow
def test_several_processes_are_added_up(tmp_path: Path) -> None:
    environment: dict[str, Any] = {
        **os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "knowledgetree.settings",
    }  # fmt: skip
    setup = "import django; django.setup()\n"
    for program in (COUNTING, READING):
        ran = subprocess.run(
            [sys.executable, "-c", setup + program],
            cwd=ROOT,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
    assert "knowledgetree_searches_web_total 4.0" in ran.stdout
