"""A program keeps an evaluation set, has it measured, reads what came of it and whether it got better."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from ingestion.jobs import run_job
from rag.models import EvaluationDataset, EvaluationQuestion, EvaluationRun, Judgement, Measurement
from tests.ingestion.api.library import Library
from tests.ingestion.api.test_api_keys import bearer, key_for

SETS = "/api/evaluation/sets"
RUNS = "/api/evaluation/runs"


def send(client: Client, verb: str, address: str, body: Any = None) -> Any:
    return getattr(client, verb)(address, body or {}, content_type="application/json")


@pytest.fixture
def program(library: Library) -> Client:
    return bearer(key_for(library, "superuser", scopes=["evaluate"])[1])


@pytest.fixture
def editor(library: Library) -> Client:
    """Who reads what is public and internal."""
    library.viewers["editor"].user_permissions.add(*Permission.objects.filter(content_type__app_label="rag"))
    return library.client("editor")


def test_a_set_is_kept_measured_and_compared(library: Library, program: Client) -> None:
    made = send(program, "post", SETS, {"name": "Urlopy", "collection": "public"})
    assert made.status_code == 201, made.content
    address = f"{SETS}/{made.json()['id']}"
    nothing = send(program, "post", f"{address}/measure", {"kind": "retrieval"})
    assert (nothing.status_code, nothing.json()["code"]) == (400, "nothing_to_measure")
    assert nothing.json()["remedy"]

    uri = library.ready["public"].uri
    asked = {"text": "Ile dni urlopu przysługuje?", "documents": {uri: 2}, "kind": "how_much"}
    question = send(program, "post", f"{address}/questions", asked)
    assert question.status_code == 201, question.content
    assert (question.json()["identifier"], question.json()["documents"]) == ("ile-dni-urlopu-przysługuje", {uri: 2})
    assert program.get(address).json()["questions"] == 1

    begun, same = (send(program, "post", f"{address}/measure", {"kind": "retrieval"}) for _ in range(2))
    assert (begun.status_code, begun.json()["id"], begun.json()["run"]) == (202, same.json()["id"], None)
    run_job(begun.json()["job"])
    measured = program.get(f"/api/evaluation/measurements/{begun.json()['id']}").json()
    assert (measured["status"], measured["error_code"]) == ("succeeded", "")
    run = program.get(f"{RUNS}/{measured['run']}").json()
    assert run["metrics"]["nDCG@10"] == 1.0
    assert run["scores"]["ile-dni-urlopu-przysługuje"]["nDCG@10"] == 1.0
    assert [one["id"] for one in program.get(f"{RUNS}?dataset=Urlopy").json()["results"]] == [run["id"]]
    assert program.get(f"{RUNS}/{run['id']}/comparison").status_code == 404  # there is no earlier one

    send(program, "patch", f"/api/evaluation/questions/{question.json()['id']}", {"documents": {}})
    assert not Judgement.objects.exists()
    assert send(program, "delete", address).status_code == 204
    assert EvaluationRun.objects.filter(pk=run["id"]).exists()


def test_two_runs_are_compared_question_by_question(library: Library, program: Client) -> None:
    def run(score: float, **fields: Any) -> EvaluationRun:
        scores = {str(number): {"nDCG@10": score} for number in range(20)}
        given = {"dataset": "Urlopy", "kind": "retrieval", "preset": "offline", **fields}
        return EvaluationRun.objects.create(**given, scores=scores, metrics={"nDCG@10": score}, questions=20)

    before, after, other = run(0.5), run(0.75), run(0.9, dataset="Inne")
    compared = program.get(f"{RUNS}/{after.pk}/comparison").json()
    assert compared["before"]["id"] == before.pk
    (difference,) = compared["differences"]
    assert (difference["change"], difference["better"], difference["significant"]) == (0.25, 20, True)
    refused = program.get(f"{RUNS}/{after.pk}/comparison?before={other.pk}")
    assert (refused.status_code, refused.json()["code"]) == (400, "not_comparable")


def test_a_document_that_the_editor_may_not_read_is_neither_taken_nor_told(library: Library, editor: Client) -> None:
    hidden = library.ready["restricted"]
    hidden.uri = "tajne.md"
    hidden.save()
    dataset = EvaluationDataset.objects.create(name="Wszystko", collection=library.collections["public"])
    question = EvaluationQuestion.objects.create(dataset=dataset, external_id="1", text="Kto?")
    Judgement.objects.create(question=question, document=hidden.uri)
    address = f"/api/evaluation/questions/{question.pk}"
    assert editor.get(address).json()["documents"] == {}
    assert send(editor, "patch", address, {"documents": {library.ready["public"].uri: 1}}).status_code == 200
    assert question.judgements.count() == 2  # what the editor does not see, they do not take away
    for uri in (hidden.uri, "nikt.md"):
        refused = send(editor, "patch", address, {"documents": {uri: 1}})
        assert (refused.status_code, refused.json()["code"]) == (400, "invalid_judgement")


def test_sets_runs_and_measurements_of_a_hidden_collection_are_not_there(library: Library, editor: Client) -> None:
    dataset = EvaluationDataset.objects.create(name="Tajny", collection=library.collections["restricted"])
    question = EvaluationQuestion.objects.create(dataset=dataset, external_id="1", text="Kto?", answerable=False)
    run = EvaluationRun.objects.create(dataset="Tajny", kind="answers", preset="offline", questions=1)
    job = library.waiting["restricted"].jobs.get()
    measurement = Measurement.objects.create(dataset=dataset, kind="answers", job=job)
    for address in (
        f"{SETS}/{dataset.pk}",
        f"{SETS}/{dataset.pk}/questions",
        f"/api/evaluation/questions/{question.pk}",
        f"/api/evaluation/measurements/{measurement.pk}",
        f"{RUNS}/{run.pk}",
        f"{RUNS}/{run.pk}/comparison",
    ):
        assert editor.get(address).status_code == 404, address
    for address in (SETS, "/api/evaluation/measurements", RUNS):
        assert editor.get(address).json()["count"] == 0, address
    assert send(editor, "post", f"{SETS}/{dataset.pk}/measure", {"kind": "answers"}).status_code == 404


def test_a_key_for_chosen_collections_leaves_sets_for_all_alone(library: Library) -> None:
    dataset = EvaluationDataset.objects.create(name="Dla wszystkich")
    question = EvaluationQuestion.objects.create(dataset=dataset, external_id="1", text="Kto?")
    client = bearer(key_for(library, "superuser", only="public", scopes=["evaluate"])[1])
    assert send(client, "post", SETS, {"name": "Nowy"}).status_code == 403
    assert send(client, "patch", f"{SETS}/{dataset.pk}", {"description": "x"}).status_code == 403
    assert send(client, "delete", f"{SETS}/{dataset.pk}").status_code == 403
    assert send(client, "post", f"{SETS}/{dataset.pk}/questions", {"text": "Co?"}).status_code == 403
    assert send(client, "delete", f"/api/evaluation/questions/{question.pk}").status_code == 403
    assert send(client, "post", f"{SETS}/{dataset.pk}/measure", {"kind": "answers"}).status_code == 403
    assert send(client, "post", SETS, {"name": "Własny", "collection": "public"}).status_code == 201


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"text": ""}, "text"),
        ({"text": "Kto?", "identifier": "1"}, "identifier"),
        ({"text": "Kto?", "documents": {"a.md": 0}}, "documents.a.md"),
        ({"text": "Kto?", "expected_answer_contains": "burmistrz"}, "expected_answer_contains"),
    ],
)
def test_what_is_wrong_with_a_question_is_named(
    library: Library, program: Client, body: dict[str, Any], field: str
) -> None:
    dataset = EvaluationDataset.objects.create(name="Urlopy")
    EvaluationQuestion.objects.create(dataset=dataset, external_id="1", text="Kto?")
    answer = send(program, "post", f"{SETS}/{dataset.pk}/questions", body)
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == [field]
