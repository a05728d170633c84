"""Spans of OpenTelemetry, as a real collector gets them: one trace from the request to the model, no texts in it."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client

from ingestion.jobs import run_job
from ingestion.models import Collection, Job
from knowledgetree.logs import traced
from knowledgetree.tracing import OpenSpan, begin_span, current_traceparent, in_span, span
from knowledgetree.tracing.environment import TracingSettings, tracing_environment
from knowledgetree.tracing.provider import tracer
from knowledgetree.tracing.reachability import tracing
from knowledgetree.tracing.statements import trace_statements
from rag.services.ask import ask
from rag.services.ask_request import AskRequest
from tests.conftest import AddDocument
from tests.installation import wait_until
from tests.messages_server import MessagesServer, Turn
from tests.otlp_server import OtlpServer, attributes

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
CALLER = f"00-{TRACE}-00f067aa0ba902b7-01"
QUESTION = "Ile dni urlopu przysługuje Zenobiuszowi, PESEL 44051401359?"
TEXT = "# Urlopy\n\nPracownikowi z dziesięcioletnim stażem przysługuje 26 dni urlopu wypoczynkowego.\n"


@pytest.fixture
def collector(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[OtlpServer]:
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "20")
    with OtlpServer() as server:
        trace_into(server, settings)
        yield server
        stop_tracing()


def trace_into(server: OtlpServer, settings: Any, **fields: bool) -> None:
    settings.TRACING = TracingSettings(endpoint=f"{server.url}/v1/traces", **fields)
    spanned = "knowledgetree.tracing.requests.span_middleware"
    settings.MIDDLEWARE = list(dict.fromkeys([settings.MIDDLEWARE[0], spanned, *settings.MIDDLEWARE[1:]]))
    tracer.cache_clear()


def stop_tracing() -> None:
    made: Any = tracer()
    if made:
        made.span_processor.shutdown()
    tracer.cache_clear()


@pytest.fixture
def model(settings: Any) -> Iterator[MessagesServer]:
    with MessagesServer(Turn(pieces=("Przysługuje 26 dni urlopu [1].",))) as server:
        llm = {"api_key": "klucz", "base_url": server.url, "model": "bielik", "max_retries": 0, "timeout": 5.0}
        settings.RAG = {**settings.RAG, "llm": llm}
        yield server


def arrived(collector: OtlpServer, name: str) -> Any:
    wait_until(lambda: bool(collector.named(name)), seconds=30)
    return collector.named(name)[0]


def post(question: str, **headers: str) -> Any:
    body = {"question": question, "preset": "balanced"}
    return Client(headers=headers).post("/api/ask", body, content_type="application/json")


def test_request_question_stages_and_model_are_one_trace_that_the_logs_name(
    public: Collection, index: AddDocument, collector: OtlpServer, model: MessagesServer
) -> None:
    index(public, TEXT)
    response = post(QUESTION, traceparent=CALLER)
    request = arrived(collector, "POST /api/ask")
    assert response["X-Request-ID"] == TRACE
    assert {one.trace_id.hex() for one in collector.spans} == {TRACE}
    assert request.parent_span_id.hex() == "00f067aa0ba902b7"
    written = next(one for one in collector.named("chat bielik") if collector.above(one)[0] == "synthesis")
    assert collector.above(written) == ["synthesis", "question", "POST /api/ask"]
    assert attributes(written)["gen_ai.usage.output_tokens"] > 0
    assert collector.above(arrived(collector, "lexical")) == ["rag_search", "question", "POST /api/ask"]
    assert collector.above(arrived(collector, "analysis"))[-2:] == ["question", "POST /api/ask"]
    told = attributes(arrived(collector, "question"))
    assert (told["knowledgetree.outcome"], told["knowledgetree.preset"]) == ("answered", "balanced")
    assert attributes(request)["http.response.status_code"] == 200
    assert collector.services == {"knowledgetree"}


def test_no_text_of_a_question_or_a_document_is_told(
    public: Collection, index: AddDocument, collector: OtlpServer, model: MessagesServer
) -> None:
    index(public, TEXT)
    post(QUESTION)
    arrived(collector, "POST /api/ask")
    said = repr(collector.spans)
    assert not [word for word in ("Zenobiusz", "44051401359", "urlop", "26 dni") if word in said]


def test_questions_are_told_where_that_is_chosen_but_for_personal_data(
    public: Collection, index: AddDocument, collector: OtlpServer, settings: Any
) -> None:
    trace_into(collector, settings, texts=True)
    index(public, TEXT)
    list(ask(AskRequest(question=QUESTION, viewer=AnonymousUser(), preset="offline")))
    told = attributes(arrived(collector, "question"))["knowledgetree.question"]
    assert told.startswith("Ile dni urlopu")
    assert "44051401359" not in told


def test_a_job_joins_the_trace_of_the_request_that_wanted_it(
    public: Collection, superuser: User, collector: OtlpServer
) -> None:
    client = Client(headers={"traceparent": CALLER})
    client.force_login(superuser)
    sent = client.post("/api/documents", {"file": SimpleUploadedFile("u.md", TEXT.encode()), "collection": public.slug})
    assert sent.status_code == 202
    job = Job.objects.get()
    run_job(str(job.pk))
    done = arrived(collector, "index_document")
    wait_until(lambda: bool(collector.above(done)), seconds=30)
    assert (done.trace_id.hex(), collector.above(done)) == (TRACE, ["POST /api/documents"])
    assert attributes(done)["knowledgetree.job"] == job.pk.hex


def test_a_job_of_a_job_and_of_nobody_is_a_trace_by_its_number(public: Collection, collector: OtlpServer) -> None:
    with traced("a" * 32, job="b" * 32), span("sync_source"):
        job = Job.objects.create(kind=Job.Kind.COMMUNITIES, collection=public)
    assert job.traceparent == ""
    run_job(str(job.pk))
    assert arrived(collector, "communities").trace_id.hex() == job.pk.hex


def test_what_breaks_off_is_told_by_its_code_and_its_stage_ends(
    public: Collection, index: AddDocument, collector: OtlpServer
) -> None:
    index(public, TEXT)
    stream = ask(AskRequest(question=QUESTION, viewer=AnonymousUser(), preset="offline"))
    next(stream), next(stream)
    stream.close()  # type: ignore[attr-defined]
    broken = arrived(collector, "analysis")
    assert attributes(broken)["error.type"] == "unfinished"
    assert attributes(arrived(collector, "question"))["error.type"] == "cancelled"


def test_whoever_reads_a_stream_is_not_inside_its_span(collector: OtlpServer) -> None:
    def events(_span: OpenSpan) -> Any:
        yield current_traceparent()
        with span("inner"):
            yield current_traceparent()

    stream = in_span("outer", events)
    inside, outside = next(stream), current_traceparent()
    within = next(stream)
    stream.close()
    assert (inside[:35], outside) == (within[:35], "")
    assert inside != within
    assert collector.above(arrived(collector, "inner")) == ["outer"]


def test_statements_are_told_without_their_values(public: Collection, collector: OtlpServer) -> None:
    trace_statements(connection=connection)
    try:
        Collection.objects.filter(slug="tajemnica").first()
        with span("work"):
            Collection.objects.filter(slug="tajemnica").first()
    finally:
        connection.execute_wrappers.clear()
    asked = arrived(collector, "SELECT")
    assert "ingestion_collection" in attributes(asked)["db.query.text"]
    assert "tajemnica" not in repr(asked)
    assert [collector.above(one) for one in collector.named("SELECT")] == [["work"]]


@pytest.mark.parametrize(
    ("header", "kept"),
    [
        ({"traceparent": CALLER, "X-Request-ID": "proxy-1"}, TRACE),
        ({"traceparent": f"00-{'0' * 32}-00f067aa0ba902b7-01", "X-Request-ID": "proxy-1"}, "proxy-1"),
        ({"traceparent": "śmieć", "X-Request-ID": "proxy-1"}, "proxy-1"),
    ],
)
def test_the_logs_take_a_whole_traceparent_first(header: dict[str, str], kept: str) -> None:
    assert Client(headers=header).get("/healthz")["X-Request-ID"] == kept


def test_without_a_collector_nothing_is_made() -> None:
    assert type(begin_span("request")) is OpenSpan
    events = iter(["event"])
    assert in_span("question", lambda _span: events) is events  # type: ignore[arg-type, return-value]
    assert current_traceparent() == ""


@pytest.mark.parametrize(
    ("given", "endpoint"),
    [
        ({}, None),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://zbieracz:4318/"}, "http://zbieracz:4318/v1/traces"),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://zbieracz/tu"}, "http://zbieracz/tu"),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, "http://localhost:4318/v1/traces"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://zbieracz:4318", "OTEL_TRACES_EXPORTER": "none"}, None),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://zbieracz:4318", "OTEL_SDK_DISABLED": "true"}, None),
    ],
)
def test_the_variables_of_the_specification_decide(
    given: dict[str, str], endpoint: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    found = tracing_environment()
    assert (found and found.endpoint) == endpoint


def test_doctor_says_whether_the_collector_takes_spans(
    collector: OtlpServer, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "Authorization=Bearer%20abc")
    assert tracing().well is True
    assert collector.headers[-1]["authorization"] == "Bearer abc"
    collector.status = 401
    refused = tracing()
    assert (refused.well, "HTTP Error 401" in refused.detail or "Unauthorized" in refused.detail) == (False, True)
    settings.TRACING = None
    assert tracing().well is None


def test_a_collector_that_is_away_costs_spans_alone(
    public: Collection,
    index: AddDocument,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with OtlpServer() as gone:
        trace_into(gone, settings)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    caplog.set_level(logging.CRITICAL)
    index(public, TEXT)
    assert post(QUESTION).status_code == 200
    stop_tracing()
