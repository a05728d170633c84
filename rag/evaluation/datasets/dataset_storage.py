"""Question sets in the database, from files and back."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from django.db import transaction
from django.utils.translation import gettext as _

from ingestion.models import Collection, Extraction
from rag.evaluation.datasets.beir import write_folder
from rag.evaluation.datasets.questions import (
    InvalidQuestionSet,
    LabelledQuestion,
    questions_as_json,
    questions_as_jsonl,
)
from rag.models import EvaluationDataset, EvaluationQuestion, Judgement


@transaction.atomic
def store_dataset(
    *, name: str, questions: Sequence[LabelledQuestion], collection: Collection | None = None, description: str = ""
) -> EvaluationDataset:
    """Make or update the set `name`; its questions are those given, unchanged sets cost one read.

    No `description` or `collection` keeps the one that is there. Raises InvalidQuestionSet where two questions share
    an id.
    """
    dataset, _created = EvaluationDataset.objects.get_or_create(name=name)
    dataset.collection = collection or dataset.collection
    dataset.description = description or dataset.description
    dataset.save()
    if len({question.id for question in questions}) < len(questions):
        raise InvalidQuestionSet(_("Two questions have the same identifier."))
    if list(stored_questions(dataset)) != list(questions):
        dataset.questions.all().delete()
        _create_questions(dataset, questions)
    return dataset


def stored_questions(dataset: EvaluationDataset) -> Iterator[LabelledQuestion]:
    """The questions of the set, in the order they came in."""
    for question in dataset.questions.prefetch_related("judgements"):
        judgements = {judgement.document: judgement.grade for judgement in question.judgements.all()}
        yield LabelledQuestion(
            id=question.external_id,
            question=question.text,
            kind=question.kind,
            answerable=question.answerable,
            expected_documents=tuple(judgements),
            grades={document: grade for document, grade in judgements.items() if grade != 1},
            expected_answer=question.expected_answer,
            expected_answer_contains=tuple(question.expected_answer_contains),
        )


def export_dataset(dataset: EvaluationDataset, path: Path) -> None:
    """Write the set as JSON or JSONL, by the ending of `path`, or as a BEIR folder where it has none.

    A BEIR folder holds the documents of the set's collection; raises InvalidQuestionSet where it has no collection.
    """
    questions = list(stored_questions(dataset))
    if path.suffix == ".json":
        text = questions_as_json(questions, name=dataset.name, description=dataset.description)
        path.write_text(text, encoding="utf-8")
    elif path.suffix == ".jsonl":
        path.write_text(questions_as_jsonl(questions), encoding="utf-8")
    elif dataset.collection is None:
        raise InvalidQuestionSet(
            _("A BEIR folder needs documents, and this set has no collection."), remedy=_("Export it as .jsonl.")
        )
    else:
        write_folder(path, questions, _documents(dataset.collection))


def _documents(collection: Collection) -> Iterator[tuple[str, str, str]]:
    texts = Extraction.objects.filter(document__collection=collection).order_by("document__pk", "pk")
    seen = set()
    for uri, title, text in texts.values_list("document__uri", "document__title", "text").iterator():
        if uri not in seen:  # the text of the first extractor is the one that citations point into
            seen.add(uri)
            yield uri, title, text


def _create_questions(dataset: EvaluationDataset, questions: Sequence[LabelledQuestion]) -> None:
    rows = EvaluationQuestion.objects.bulk_create(
        EvaluationQuestion(
            dataset=dataset,
            external_id=question.id,
            text=question.question,
            kind=question.kind,
            answerable=question.answerable,
            expected_answer=question.expected_answer,
            expected_answer_contains=list(question.expected_answer_contains),
        )
        for question in questions
    )
    Judgement.objects.bulk_create(
        Judgement(question=row, document=document, grade=grade)
        for row, question in zip(rows, questions, strict=True)
        for document, grade in question.judgements.items()
    )
