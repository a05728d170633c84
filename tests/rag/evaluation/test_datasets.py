"""Question sets from files into the database and back."""

from pathlib import Path

import pytest
from django.conf import settings
from django.db import IntegrityError

from ingestion.models import Collection
from rag.evaluation.datasets.beir import read_folder
from rag.evaluation.datasets.dataset_storage import export_dataset, store_dataset, stored_questions
from rag.evaluation.datasets.questions import InvalidQuestionSet, LabelledQuestion, read_questions
from rag.models import EvaluationQuestion, Judgement
from tests.conftest import AddDocument
from tests.rag.evaluation.conftest import WriteFolder

QUESTIONS = [
    LabelledQuestion(
        id="q1",
        question="Ile dni urlopu?",
        expected_documents=("kadry/urlop.md", "kadry/czas.md"),
        grades={"kadry/urlop.md": 3},
        expected_answer="26 dni",
        expected_answer_contains=("26", "dni\u2028łamane"),
    ),
    LabelledQuestion(id="q2", question="Kto wygra wybory?", answerable=False),
]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["zestaw.jsonl", "zestaw.json"])
def test_export_and_import_keep_every_label(tmp_path: Path, name: str) -> None:
    dataset = store_dataset(name="zestaw", questions=QUESTIONS, description="Próba")
    export_dataset(dataset, tmp_path / name)
    assert list(read_questions(tmp_path / name)) == QUESTIONS
    assert list(stored_questions(dataset)) == QUESTIONS


def test_a_beir_folder_comes_back_the_same(public: Collection, index: AddDocument, tmp_path: Path) -> None:
    index(public, "Urlop trwa 26 dni.\n", uri="kadry/urlop.md", title="Urlop")
    questions = [QUESTIONS[0].model_copy(update={"expected_answer": "", "expected_answer_contains": ()})]
    dataset = store_dataset(name="zestaw", questions=questions, collection=public)
    export_dataset(dataset, tmp_path / "folder")
    assert read_folder(tmp_path / "folder") == questions
    assert '"title": "Urlop", "text": "Urlop trwa 26 dni.\\n"' in (tmp_path / "folder/corpus.jsonl").read_text("utf-8")


def test_the_answers_of_a_folder_are_expected_and_choices_of_an_exam_are_not(write_folder: WriteFolder) -> None:
    folder = write_folder()
    (folder / "answers.jsonl").write_text(
        '{"id": "q1", "answers": [{"text": "26 dni"}, {"text": "26"}]}\n{"id": "q2", "choices": {"A": "1000 zł"}}\n',
        encoding="utf-8",
    )
    assert [question.expected_answer for question in read_folder(folder)] == ["26 dni", "", "", ""]


@pytest.mark.django_db
def test_a_set_without_documents_cannot_be_a_beir_folder(tmp_path: Path) -> None:
    with pytest.raises(InvalidQuestionSet):
        export_dataset(store_dataset(name="zestaw", questions=QUESTIONS), tmp_path / "folder")


@pytest.mark.django_db
def test_storing_again_replaces_only_what_changed() -> None:
    store_dataset(name="zestaw", questions=QUESTIONS, description="Próba")
    keys = set(EvaluationQuestion.objects.values_list("pk", flat=True))
    same = store_dataset(name="zestaw", questions=QUESTIONS)
    assert set(same.questions.values_list("pk", flat=True)) == keys
    assert same.description == "Próba"
    changed = store_dataset(name="zestaw", questions=QUESTIONS[:1])
    assert [question.external_id for question in changed.questions.all()] == ["q1"]


@pytest.mark.django_db
def test_the_database_takes_no_grade_of_zero() -> None:
    question = store_dataset(name="zestaw", questions=QUESTIONS).questions.get(external_id="q2")
    with pytest.raises(IntegrityError):
        Judgement.objects.create(question=question, document="a", grade=0)


@pytest.mark.django_db
def test_two_questions_of_one_name_are_refused() -> None:
    with pytest.raises(InvalidQuestionSet):
        store_dataset(name="zestaw", questions=[QUESTIONS[0], QUESTIONS[0]])


def test_the_shipped_questions_are_readable() -> None:
    questions = list(read_questions(settings.BASE_DIR / "fixtures/urzad/questions.jsonl"))
    assert {question.answerable for question in questions} == {True, False}


def test_only_grades_above_zero_count(write_folder: WriteFolder) -> None:
    questions = {question.id: question.judgements for question in read_folder(write_folder())}
    assert questions == {"q1": {"urlop": 2}, "q2": {"śluby": 1}, "q3": {"odpady": 1, "pies": 1}, "q4": {}}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"corpus": None}, "corpus.jsonl"),
        ({"queries": None}, "queries.jsonl"),
        ({"qrels": None}, "qrels.tsv"),
        ({"queries": [{"_id": "q1"}]}, "queries.jsonl"),
        ({"qrels": [("q1", "urlop")]}, "qrels.tsv"),
        ({"qrels": [("q1", "urlop", "dobry")]}, "qrels.tsv"),
        ({"qrels": [("q1", "urlop", 0)]}, "gmina"),
    ],
)
def test_an_incomplete_folder_says_what_is_wrong(write_folder: WriteFolder, wrong: dict[str, None], said: str) -> None:
    with pytest.raises(InvalidQuestionSet, match=said):
        read_folder(write_folder(**wrong))


@pytest.mark.parametrize("text", ["{", "[]", '{"id": "q1"}', '{"id": "", "question": "x"}'])
def test_a_bad_line_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "pytania.jsonl"
    path.write_text(f'{{"id": "q0", "question": "Ile?"}}\n{text}\n', encoding="utf-8")
    with pytest.raises(InvalidQuestionSet, match=r"pytania\.jsonl.* 2"):
        list(read_questions(path))
