"""Evaluation sets, their questions and measurements in the admin."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from ingestion.models import Collection, Document
from rag.admin.evaluation_comparison import verdict
from rag.evaluation.datasets import stored_questions
from rag.evaluation.significance import compare_scores
from rag.models import (
    Conversation,
    EvaluationDataset,
    EvaluationQuestion,
    EvaluationRun,
    Exchange,
    ExchangeCitation,
    Judgement,
)
from rag.services.judging import add_case, create_dataset
from tests.conftest import AddDocument

pytestmark = pytest.mark.django_db

SETS, QUESTIONS, RUNS = (f"admin:rag_evaluation{name}_changelist" for name in ("dataset", "question", "run"))
CHANGE = "admin:rag_evaluation{}_change"
IMPORT, COMPARE = "admin:rag_evaluationdataset_import", "admin:rag_evaluationrun_compare"


@pytest.fixture
def dataset(public: Collection) -> EvaluationDataset:
    made = create_dataset(name="gmina", collection=public)
    for number in range(12):
        add_case(dataset=made, text=f"Pytanie numer {number}?", grades={f"dokument-{number}.txt": 1})
    return made


@pytest.fixture
def hidden_set(restricted: Collection) -> EvaluationDataset:
    made = create_dataset(name="poufny zbiór", collection=restricted)
    add_case(dataset=made, text="Ile zarabia prezes?")
    return made


def make_run(dataset: str, scores: list[float], **fields: Any) -> EvaluationRun:
    keys = [f"pytanie-numer-{number}" for number in range(len(scores))]
    return EvaluationRun.objects.create(
        dataset=dataset,
        kind="retrieval",
        preset=fields.pop("preset", "offline"),
        metrics={"nDCG@10": sum(scores) / len(scores)},
        scores={key: {"nDCG@10": score} for key, score in zip(keys, scores, strict=True)},
        latency={"total": {"p50": 10.0, "p95": 20.0, "p99": 30.0}},
        questions=len(scores),
        **fields,
    )


def signed_in(*permissions: str) -> Client:
    user = User.objects.create_user(f"osoba-{len(permissions)}", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def editor() -> Client:
    names = [f"{verb}_evaluationdataset" for verb in ("view", "add", "change", "delete")]
    return signed_in(*names, "view_evaluationrun")


def text_of(client: Client, name: str, *args: Any, **query: Any) -> str:
    response = client.get(reverse(name, args=args), query)
    assert response.status_code == 200
    return response.content.decode()


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


def test_the_page_of_a_run_shows_measures_times_and_the_weakest_questions(
    editor: Client, dataset: EvaluationDataset
) -> None:
    run = make_run("gmina", [0.9, 0.1] + [1.0] * 30)
    response = editor.get(reverse(CHANGE.format("run"), args=[run.pk]))
    weakest = response.context["weakest"]
    assert [(one.key, one.score) for one in weakest[:2]] == [("pytanie-numer-1", 0.1), ("pytanie-numer-0", 0.9)]
    assert (len(weakest), weakest[0].question.text) == (20, "Pytanie numer 1?")
    estimate = response.context["measured"][0].estimate
    assert estimate.low <= estimate.mean <= estimate.high
    assert len(response.context["latency"]) == 1


def test_two_chosen_runs_are_compared(editor: Client, dataset: EvaluationDataset) -> None:
    before, after = make_run("gmina", [0.2] * 12), make_run("gmina", [0.8] * 11 + [0.2])
    action = {"action": "compare", "_selected_action": [after.pk, before.pk]}
    response = editor.post(reverse(RUNS), action, follow=True)
    main = response.context["main"]
    assert main.difference.significant
    assert (main.difference.better, main.difference.worse, main.same) == (11, 0, 1)
    assert [one.key for one in response.context["lost"]] == []
    assert len(response.context["gained"]) == 10


def test_one_run_or_three_are_not_compared(editor: Client, dataset: EvaluationDataset) -> None:
    run = make_run("gmina", [0.2] * 12)
    response = editor.post(reverse(RUNS), {"action": "compare", "_selected_action": [run.pk]})
    assert response["Location"].startswith(reverse(RUNS))


def test_runs_of_different_sets_are_not_compared(editor: Client, dataset: EvaluationDataset) -> None:
    create_dataset(name="inny")
    runs = make_run("gmina", [0.2] * 12), make_run("inny", [0.2] * 12)
    response = editor.get(reverse(COMPARE), {"before": runs[0].pk, "after": runs[1].pk})
    assert not response.context["comparable"]


def test_the_verdict_says_what_may_be_chance() -> None:
    def said(before: list[float], after: list[float]) -> str:
        rows = [{str(n): {"m": score} for n, score in enumerate(scores)} for scores in (before, after)]
        return verdict(compare_scores(*rows)[0])

    verdicts = [said([0.5] * 12, after) for after in ([0.5] * 12, [0.6] + [0.5] * 11, [0.9] * 12, [0.1] * 12)]
    assert len(set(verdicts)) == 4


def test_runs_of_a_set_that_is_gone_are_for_superusers(editor: Client, superuser: User) -> None:
    run = make_run("dawny", [0.5])
    assert "dawny" not in text_of(editor, RUNS)
    chief = Client()
    chief.force_login(superuser)
    assert text_of(chief, CHANGE.format("run"), run.pk)


@pytest.fixture
def asked(superuser: User) -> list[Exchange]:
    conversation = Conversation.objects.create(owner=superuser, title="Rozmowa")
    texts = {"Ile kosztuje karta? PESEL 44051401359": "answered", "Gdzie jest basen?": "not_found"}
    return [
        Exchange.objects.create(conversation=conversation, question=text, answer="…", outcome=outcome)
        for text, outcome in texts.items()
    ]


def cite(exchange: Exchange, document: Document) -> None:
    ExchangeCitation.objects.create(
        exchange=exchange, number=1, document=document, chunk_id=1, title=document.title, uri=document.uri,
        quote="Karta.", start=0, end=6, line_start=1, line_end=1, score=1.0,
    )  # fmt: skip


def test_real_questions_become_cases_with_one_action(
    superuser: User, asked: list[Exchange], dataset: EvaluationDataset, public: Collection, index: AddDocument
) -> None:
    document = index(public, "Karta kosztuje 30 zł.", name="karta.txt")
    cite(asked[0], document)
    chief = Client()
    chief.force_login(superuser)
    address = reverse("admin:rag_exchange_changelist")
    action = {"action": "add_to_set", "_selected_action": [exchange.pk for exchange in asked]}
    assert "44051401359" not in str(chief.post(address, action).context["questions"])
    confirmed = action | {"confirmed": "yes", "dataset": dataset.pk, "cited": "on"}
    assert chief.post(address, confirmed).status_code == 302
    assert chief.post(address, confirmed).status_code == 302  # twice makes no second question
    added = {question.text: question for question in dataset.questions.exclude(text__startswith="Pytanie")}
    assert len(added) == 2
    assert not added["Gdzie jest basen?"].answerable
    assert "44051401359" not in "".join(added)
    assert Judgement.objects.get(question__in=added.values()).document == document.uri


def test_a_new_set_may_be_made_for_them(superuser: User, asked: list[Exchange]) -> None:
    chief = Client()
    chief.force_login(superuser)
    action = {"action": "add_to_set", "_selected_action": [asked[0].pk], "confirmed": "yes"}
    address = reverse("admin:rag_exchange_changelist")
    assert "name" in chief.post(address, action).context["form"].errors
    assert chief.post(address, action | {"name": "z pytań"}).status_code == 302
    assert EvaluationDataset.objects.get(name="z pytań").questions.count() == 1
