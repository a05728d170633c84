"""Evaluation sets and their questions in the admin."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from ingestion.models import Collection
from rag.evaluation.datasets.dataset_storage import stored_questions
from rag.models import EvaluationDataset, EvaluationQuestion
from rag.services.judging import add_case, create_dataset
from tests.conftest import AddDocument
from tests.rag.admin.evaluation.conftest import (
    CHANGE,
    COMPARE,
    IMPORT,
    QUESTIONS,
    RUNS,
    SETS,
    make_run,
    signed_in,
    text_of,
)

pytestmark = pytest.mark.django_db


def test_the_list_says_how_many_questions_and_what_the_last_run_gave(
    editor: Client, dataset: EvaluationDataset
) -> None:
    make_run("gmina", [0.1] * 12)
    make_run("gmina", [0.25] * 12)
    page = text_of(editor, SETS)
    assert "nDCG@10 0,250" in page
    assert "nDCG@10 0,100" not in page
    assert '<td class="field-question_count' in page or "12" in page


def test_without_the_permission_to_see_runs_their_results_are_not_told(dataset: EvaluationDataset) -> None:
    make_run("gmina", [0.25] * 12)
    assert "nDCG@10" not in text_of(signed_in("view_evaluationdataset"), SETS)


def test_sets_of_hidden_collections_are_nowhere(
    editor: Client, dataset: EvaluationDataset, hidden_set: EvaluationDataset
) -> None:
    run = make_run(hidden_set.name, [0.5])
    for name in (SETS, QUESTIONS, RUNS):
        page = text_of(editor, name)
        assert "poufny" not in page
        assert "prezes" not in page
    question = hidden_set.questions.get()
    addresses = [
        reverse(CHANGE.format("dataset"), args=[hidden_set.pk]),
        reverse(CHANGE.format("question"), args=[question.pk]),
        reverse(CHANGE.format("run"), args=[run.pk]),
    ]
    assert {editor.get(address).status_code for address in addresses} == {302}  # the admin's way to say: not there
    assert editor.get(reverse("admin:rag_evaluationdataset_export", args=[hidden_set.pk, "json"])).status_code == 404
    assert editor.get(reverse(COMPARE), {"before": run.pk, "after": run.pk}).status_code == 404


def test_who_may_only_look_changes_nothing(dataset: EvaluationDataset) -> None:
    looking = signed_in("view_evaluationdataset")
    question = dataset.questions.first()
    assert question is not None
    address = reverse(CHANGE.format("question"), args=[question.pk])
    assert looking.get(address).status_code == 200
    assert looking.post(address, {"text": "Inne?"}).status_code == 403
    assert looking.get(reverse(IMPORT)).status_code == 403


def test_questions_are_found_by_their_words_and_by_their_set(editor: Client, dataset: EvaluationDataset) -> None:
    add_case(dataset=create_dataset(name="inny"), text="Gdzie jest biblioteka?")
    assert "numer 3" not in text_of(editor, QUESTIONS, q="biblioteka")
    assert "biblioteka" not in text_of(editor, QUESTIONS, dataset=dataset.pk)


def question_form(question: EvaluationQuestion, document: str) -> dict[str, Any]:
    return {
        "in_set": question.dataset_id,
        "text": question.text,
        "external_id": question.external_id,
        "answerable": "on",
        "judgements-TOTAL_FORMS": 1,
        "judgements-INITIAL_FORMS": 0,
        "judgements-0-document": document,
        "judgements-0-grade": 2,
        "_save": "Zapisz",
    }


def test_a_judgement_names_a_document_that_the_editor_may_read(
    editor: Client, public: Collection, restricted: Collection, index: AddDocument
) -> None:
    question = add_case(dataset=create_dataset(name="odpowiedzi"), text="Ile kosztuje karta?")
    address = reverse(CHANGE.format("question"), args=[question.pk])
    open_one, hidden = index(public, "Karta.", name="karta.txt"), index(restricted, "Płace.", name="place.txt")
    for refused in (hidden.uri, "nie-ma.txt"):
        assert editor.post(address, question_form(question, refused)).status_code == 200
        assert not question.judgements.exists()
    assert editor.post(address, question_form(question, open_one.uri)).status_code == 302
    assert question.judgements.get().document == open_one.uri


def test_an_identifier_is_taken_once_in_a_set(editor: Client) -> None:
    dataset = create_dataset(name="odpowiedzi")
    first, second = (add_case(dataset=dataset, text=text) for text in ("Ile kosztuje karta?", "Gdzie jest basen?"))
    given = question_form(second, "") | {"external_id": first.external_id, "judgements-TOTAL_FORMS": 0}
    address = reverse(CHANGE.format("question"), args=[second.pk])
    assert "external_id" in editor.post(address, given).context["adminform"].errors
    assert editor.post(address, given | {"external_id": "basen"}).status_code == 302


def test_judgements_of_hidden_documents_are_not_shown_and_not_exported(
    editor: Client, superuser: User, restricted: Collection, index: AddDocument
) -> None:
    hidden = index(restricted, "Płace.", name="place-zarzadu.txt")
    dataset = create_dataset(name="odpowiedzi")
    question = add_case(dataset=dataset, text="Ile kosztuje karta?", grades={hidden.uri: 1})
    assert "place-zarzadu" not in text_of(editor, CHANGE.format("question"), question.pk)
    address = reverse("admin:rag_evaluationdataset_export", args=[dataset.pk, "json"])
    assert editor.get(address).status_code == 302
    chief = Client()
    chief.force_login(superuser)
    assert "place-zarzadu" in chief.get(address).content.decode()


@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_what_is_exported_can_be_imported(editor: Client, dataset: EvaluationDataset, ending: str) -> None:
    response = editor.get(reverse("admin:rag_evaluationdataset_export", args=[dataset.pk, ending]))
    assert f"gmina.{ending}" in response["Content-Disposition"]
    file = SimpleUploadedFile(f"kopia.{ending}", response.content)
    assert editor.post(reverse(IMPORT), {"file": file}).status_code == 302
    copy = EvaluationDataset.objects.get(name="kopia")
    assert list(stored_questions(copy)) == list(stored_questions(dataset))


def test_a_set_is_replaced_only_where_that_is_said(editor: Client, dataset: EvaluationDataset) -> None:
    def send(**more: str) -> Any:
        line = json.dumps({"id": "1", "question": "Nowe pytanie?"}).encode()
        given = {"file": SimpleUploadedFile("gmina.jsonl", line), **more}
        return editor.post(reverse(IMPORT), given)

    assert "name" in send().context["form"].errors
    assert dataset.questions.count() == 12
    assert send(replace="on").status_code == 302
    assert dataset.questions.get().text == "Nowe pytanie?"


def test_a_hidden_set_is_not_replaced(editor: Client, hidden_set: EvaluationDataset) -> None:
    given = {"file": SimpleUploadedFile("a.jsonl", b'{"id": "1", "question": "Q?"}'), "name": hidden_set.name}
    assert "name" in editor.post(reverse(IMPORT), given | {"replace": "on"}).context["form"].errors
    assert hidden_set.questions.get().text == "Ile zarabia prezes?"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", b"{}"),
        ("a.jsonl", b""),
        ("a.jsonl", b"{"),
        ("a.jsonl", b"\xff\xfe"),
        ("a.jsonl", b'{"id": "1"}'),
        ("a.jsonl", b'{"id": "1", "question": "a"}\n{"id": "1", "question": "b"}'),
        ("a.jsonl", b'{"id": "1", "question": "a", "expected_documents": ["d"], "grades": {"d": 0}}'),
        ("a.jsonl", b'{"id": "1", "question": "a\\u0000"}'),
        ("a.json", b"[]"),
        ("a.json", b"[" * 100_000),
    ],
)
def test_a_file_that_is_no_set_is_refused(editor: Client, name: str, content: bytes) -> None:
    response = editor.post(reverse(IMPORT), {"file": SimpleUploadedFile(name, content)})
    assert response.status_code == 200
    assert response.context["form"].errors["file"]
    assert "/tmp" not in str(response.context["form"].errors)
    assert not EvaluationDataset.objects.exists()
