"""Marks and questions in evaluation sets."""

import pytest

from ingestion.models import Collection
from rag.errors import InvalidQuestion
from rag.models import EvaluationDataset, EvaluationQuestion, Judgement
from rag.services.judging import (
    NOT_RELEVANT,
    PARTLY,
    RELEVANT,
    InvalidJudgement,
    add_case,
    create_dataset,
    grades_of,
    mark,
    question_in,
)
from tests.conftest import AddDocument

QUESTION = "Ile kosztuje karta parkingowa?"


@pytest.fixture
def dataset(public: Collection) -> EvaluationDataset:
    return create_dataset(name="gmina", collection=public)


def test_a_mark_makes_the_question_and_its_judgement(
    dataset: EvaluationDataset, public: Collection, index: AddDocument
) -> None:
    document = index(public, "Karta kosztuje 30 zł.")
    mark(dataset=dataset, text=QUESTION, document=document, grade=RELEVANT)
    assert grades_of(question_in(dataset, QUESTION)) == {document.uri: 2}


def test_another_mark_replaces_the_first_and_not_relevant_takes_it_back(
    dataset: EvaluationDataset, public: Collection, index: AddDocument
) -> None:
    document = index(public, "Karta kosztuje 30 zł.")
    mark(dataset=dataset, text=QUESTION, document=document, grade=RELEVANT)
    mark(dataset=dataset, text=QUESTION.upper(), document=document, grade=PARTLY)
    assert grades_of(question_in(dataset, QUESTION)) == {document.uri: 1}
    mark(dataset=dataset, text=QUESTION, document=document, grade=NOT_RELEVANT)
    assert not Judgement.objects.exists()
    assert EvaluationQuestion.objects.count() == 1


def test_not_relevant_makes_no_question(dataset: EvaluationDataset, public: Collection, index: AddDocument) -> None:
    mark(dataset=dataset, text=QUESTION, document=index(public, "Inne sprawy."), grade=NOT_RELEVANT)
    assert not dataset.questions.exists()


def test_a_question_with_a_judgement_is_answerable(
    dataset: EvaluationDataset, public: Collection, index: AddDocument
) -> None:
    question = add_case(dataset=dataset, text=QUESTION, answerable=False)
    mark(dataset=dataset, text=QUESTION, document=index(public, "Karta kosztuje 30 zł."), grade=PARTLY)
    question.refresh_from_db()
    assert question.answerable


def test_a_set_takes_only_documents_of_its_collection(
    dataset: EvaluationDataset, internal: Collection, index: AddDocument
) -> None:
    with pytest.raises(InvalidJudgement):
        mark(dataset=dataset, text=QUESTION, document=index(internal, "Karta."), grade=RELEVANT)
    assert not dataset.questions.exists()


def test_a_set_without_a_collection_takes_only_what_everyone_may_read(
    public: Collection, internal: Collection, index: AddDocument
) -> None:
    dataset = create_dataset(name="odpowiedzi")
    mark(dataset=dataset, text=QUESTION, document=index(public, "Karta."), grade=RELEVANT)
    with pytest.raises(InvalidJudgement):
        mark(dataset=dataset, text=QUESTION, document=index(internal, "Karta."), grade=RELEVANT)


def test_a_case_is_added_once_and_keeps_what_it_has(dataset: EvaluationDataset) -> None:
    first = add_case(dataset=dataset, text=QUESTION, expected_answer="30 zł", grades={"a.txt": 2})
    again = add_case(dataset=dataset, text=f"  {QUESTION} ", answerable=False, grades={"a.txt": 1, "b.txt": 1})
    assert again == first
    assert (again.answerable, again.expected_answer) == (True, "30 zł")
    assert grades_of(again) == {"a.txt": 2, "b.txt": 1}


def test_identifiers_are_not_taken_twice(dataset: EvaluationDataset) -> None:
    names = {add_case(dataset=dataset, text=text).external_id for text in ("Ile?", "Ile!", "???")}
    assert names == {"ile", "ile-2", "pytanie"}


@pytest.mark.parametrize("text", ["", "   ", "a" * 2001])
def test_what_is_no_question_is_no_case(dataset: EvaluationDataset, text: str) -> None:
    with pytest.raises(InvalidQuestion):
        add_case(dataset=dataset, text=text)


@pytest.mark.parametrize("name", ["", "gmina", "a" * 101])
def test_a_set_needs_a_name_of_its_own(dataset: EvaluationDataset, name: str) -> None:
    with pytest.raises(InvalidJudgement):
        create_dataset(name=name)
