"""Questions put into evaluation sets, and marks of which documents answer them."""

from collections.abc import Mapping

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from ingestion.models import Collection, Document
from ingestion.models.viewers import Viewer
from ingestion.selectors import readable_documents, visible_collections
from knowledgetree.errors import KnowledgeTreeError
from rag.models import EvaluationDataset, EvaluationQuestion, Judgement
from rag.selectors import hidden_judgements
from rag.services.search import checked_question

RELEVANT, PARTLY, NOT_RELEVANT = 2, 1, 0
GRADES = (RELEVANT, PARTLY, NOT_RELEVANT)

_ID_LENGTH = 80


class InvalidJudgement(KnowledgeTreeError):
    code = "invalid_judgement"
    status = 400


@transaction.atomic
def create_dataset(*, name: str, collection: Collection | None = None, description: str = "") -> EvaluationDataset:
    """An empty set. Raises InvalidJudgement for an empty, too long or taken name."""
    name = " ".join(name.split())
    if not 0 < len(name) <= 100:
        raise InvalidJudgement(_("A set needs a name of at most 100 characters."))
    given = {"collection": collection, "description": description}
    dataset, created = EvaluationDataset.objects.get_or_create(name=name, defaults=given)
    if not created:
        raise InvalidJudgement(_("A set of this name exists already."), remedy=_("Choose another name."))
    return dataset


@transaction.atomic
def add_case(
    *,
    dataset: EvaluationDataset,
    text: str,
    answerable: bool = True,
    expected_answer: str = "",
    grades: Mapping[str, int] | None = None,
) -> EvaluationQuestion:
    """The question `text` of the set, made where it is missing; one that is there keeps what it has.

    `grades`: {URI of a document: 1 or 2}, added to those it has. Raises InvalidQuestion for an empty or too long text.
    """
    text = checked_question(text)
    EvaluationDataset.objects.select_for_update().get(pk=dataset.pk)  # two people with the same question make one
    question = question_in(dataset, text) or EvaluationQuestion.objects.create(
        dataset=dataset,
        external_id=_identifier(dataset, text),
        text=text,
        answerable=answerable,
        expected_answer=expected_answer,
    )
    for uri, grade in (grades or {}).items():
        Judgement.objects.get_or_create(question=question, document=uri, defaults={"grade": grade})
    return question


@transaction.atomic
def save_question(
    *, question: EvaluationQuestion, viewer: User | AnonymousUser, grades: Mapping[str, int] | None = None
) -> EvaluationQuestion:
    """Keep it; one without an identifier gets one made of its text.

    `grades`: {URI of a document: grade}, in the place of those that `viewer` sees. Raises InvalidJudgement for a
    document that they may not read or that the set does not take.
    """
    question.external_id = question.external_id or _identifier(question.dataset, question.text)
    question.save()
    if grades is None:
        return question
    own = question.judgements.exclude(pk__in=hidden_judgements(viewer).values("pk"))
    own.exclude(document__in=grades).delete()
    kept = set(own.values_list("document", flat=True))
    for uri, grade in grades.items():
        if uri not in kept and not is_accepted(question.dataset, uri, viewer):
            raise InvalidJudgement(
                _("There is no document %(uri)s that the set could take.") % {"uri": uri},
                remedy=refusal(question.dataset),
            )
        Judgement.objects.update_or_create(question=question, document=uri, defaults={"grade": grade})
    return question


def is_accepted(dataset: EvaluationDataset, uri: str, viewer: Viewer) -> bool:
    """Whether the set takes the document and `viewer` may read it."""
    known = readable_documents(viewer).filter(uri=uri)
    return known.filter(collection__in=accepted_collections(dataset)).exists()


@transaction.atomic
def mark(*, dataset: EvaluationDataset, text: str, document: Document, grade: int) -> None:
    """Say how well `document` answers the question `text`: GRADES, of which NOT_RELEVANT takes the judgement back.

    The question is made where the set lacks it; one with a judgement is answerable. Raises InvalidJudgement where the
    set does not take the document, and InvalidQuestion.
    """
    if grade not in GRADES:
        raise InvalidJudgement(_("There is no such grade."))
    if not accepted_collections(dataset).filter(pk=document.collection_id).exists():
        raise InvalidJudgement(refusal(dataset))
    question = question_in(dataset, checked_question(text))
    if grade == NOT_RELEVANT:
        Judgement.objects.filter(question=question, document=document.uri).delete()
        return
    question = question or add_case(dataset=dataset, text=text)
    given = {"grade": grade, "marked": timezone.now()}
    Judgement.objects.update_or_create(question=question, document=document.uri, defaults=given)
    EvaluationQuestion.objects.filter(pk=question.pk, answerable=False).update(answerable=True)


def accepted_collections(dataset: EvaluationDataset) -> QuerySet[Collection]:
    """Whose documents may be marked: a set is measured in its collection, one without on what everyone may read."""
    if dataset.collection_id:
        return Collection.objects.filter(pk=dataset.collection_id)
    return visible_collections(AnonymousUser())


def refusal(dataset: EvaluationDataset) -> str:
    """Which documents the set takes, and no others."""
    if dataset.collection:
        return _("The set takes only documents of the collection “%(name)s”.") % {"name": dataset.collection}
    return _("A set without a collection takes only documents of public collections.")


def question_in(dataset: EvaluationDataset, text: str) -> EvaluationQuestion | None:
    """By its text; upper and lower case do not matter."""
    return dataset.questions.filter(text__iexact=text.strip()).first()


def grades_of(question: EvaluationQuestion | None) -> dict[str, int]:
    """{URI of a document: grade}."""
    return dict(Judgement.objects.filter(question=question).values_list("document", "grade")) if question else {}


def _identifier(dataset: EvaluationDataset, text: str) -> str:
    """Readable, and not taken in the set."""
    base = slugify(text, allow_unicode=True)[:_ID_LENGTH] or "pytanie"
    taken = set(dataset.questions.filter(external_id__startswith=base).values_list("external_id", flat=True))
    name, number = base, 1
    while name in taken:
        number += 1
        name = f"{base}-{number}"
    return name
