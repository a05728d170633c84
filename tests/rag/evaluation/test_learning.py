"""Relevance learnt from marks and thumbs: when it is fitted, and when what was fitted is adopted."""

from copy import copy
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ingestion.models import Collection, Document, EmbeddingSpace
from rag.evaluation.calibration import learning
from rag.evaluation.calibration.learning import ENOUGH, is_no_worse, learn_relevance, marked_questions, standing
from rag.evaluation.calibration.reliability import Reliability
from rag.models import CalibrationAttempt, EvaluationDataset, Exchange, Feedback
from rag.search.relevance.calibration import Calibration, Weight
from rag.services.calibration import store_calibration
from rag.services.judging import add_case, create_dataset, mark
from tests.conftest import index_text, make_public
from tests.kept import Kept
from tests.rag.insight.analytics.exchanges import asked
from tests.rag.management.test_calibrate import STRANGE, THINGS

pytestmark = pytest.mark.django_db


@pytest.fixture
def few_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "ENOUGH", len(THINGS))


@pytest.fixture(scope="module")
def kept_documents(kept_rows: Kept) -> list[Document]:
    with kept_rows.writing():
        public = make_public()
        return [index_text(public, f"Opłata. Tyle kosztuje {thing}: 10 zł.", name=f"{thing}.txt") for thing in THINGS]


@pytest.fixture
def documents(kept_documents: list[Document], db: None) -> list[Document]:
    return [copy(document) for document in kept_documents]


@pytest.fixture
def marked(public: Collection, documents: list[Document]) -> EvaluationDataset:
    """A mark for each of twelve questions, and twelve that have no answer."""
    dataset = create_dataset(name="gmina", collection=public)
    for thing, document in zip(THINGS, documents, strict=True):
        mark(dataset=dataset, text=f"Ile kosztuje {thing}?", document=document, grade=2)
    for thing in STRANGE:
        add_case(dataset=dataset, text=f"Ile kosztuje {thing}?", answerable=False)
    return dataset


@pytest.mark.usefixtures("marked")
def test_until_enough_is_marked_nothing_is_fitted() -> None:
    assert standing().waiting == len(THINGS) < ENOUGH
    assert learn_relevance() is None
    assert not CalibrationAttempt.objects.exists()


@pytest.mark.slow
@pytest.mark.usefixtures("marked", "few_are_enough")
def test_what_was_fitted_is_adopted_over_weights_that_know_less() -> None:
    space = EmbeddingSpace.objects.get()
    ignorant = Calibration(inputs={"early": Weight(weight=0.0)}, bias=0.0)
    store_calibration(space=space, reranker="features", calibration=ignorant)
    attempt = learn_relevance()
    assert attempt is not None
    assert (attempt.outcome, attempt.marks, attempt.questions) == ("adopted", 12, 24)
    assert attempt.before["auc"] == 0.5 < attempt.after["auc"]
    space.refresh_from_db()
    stored = space.calibration["features"]
    assert stored["fitted_on"].startswith("oceny trafień i kciuki")
    assert stored["quality"] == attempt.after
    assert standing().waiting == 0
    assert learn_relevance() is None


@pytest.mark.usefixtures("marked", "few_are_enough")
def test_weights_that_do_better_stay() -> None:
    """The good ones were fitted on the questions themselves, none of which was held out from them."""
    space = EmbeddingSpace.objects.get()
    sure = Calibration(inputs={"early": Weight(weight=400.0)}, bias=-200.0)
    store_calibration(space=space, reranker="features", calibration=sure)
    attempt = learn_relevance()
    assert attempt is not None
    assert attempt.before["ece"] == 0.0
    assert attempt.outcome == "not_better"
    space.refresh_from_db()
    assert space.calibration["features"]["bias"] == -200.0
    assert standing().waiting == 0


@pytest.mark.usefixtures("few_are_enough")
def test_questions_of_one_kind_alone_teach_nothing_and_count_again(
    public: Collection, documents: list[Document]
) -> None:
    dataset = create_dataset(name="gmina", collection=public)
    for thing, document in zip(THINGS, documents, strict=True):
        mark(dataset=dataset, text=f"Ile kosztuje {thing}?", document=document, grade=2)
    for _night in range(2):
        attempt = learn_relevance()
        assert attempt is not None
        assert attempt.outcome == "too_few"
    assert CalibrationAttempt.objects.count() == 1
    assert standing().waiting == len(THINGS)
    assert EmbeddingSpace.objects.get().calibration == {}


def judged(text: str, verdict: str, reader: User, **fields: object) -> Exchange:
    exchange = asked(text, at=timezone.now(), **fields)  # type: ignore[arg-type]
    Feedback.objects.create(exchange=exchange, user=reader, verdict=verdict)
    return exchange


def test_thumbs_teach_what_helps_and_what_does_not(
    documents: list[Document], employee: User, restricted: Collection
) -> None:
    good = judged("Ile kosztuje paszport?", "good", employee, cites=(documents[0],))
    bad = judged("Ile kosztuje kwazar?", "bad", employee, cites=(documents[1],))
    judged("Dzień dobry", "good", employee, outcome="direct")
    judged("Ile zarabia dyrektor?", "good", employee, cites=(documents[2],), collections=(restricted,))
    drawn = {one.question.id: one for one in marked_questions()}
    assert drawn.keys() == {str(good.pk), str(bad.pk)}
    assert drawn[str(good.pk)].question.expected_documents == (documents[0].uri,)
    assert (drawn[str(good.pk)].answerable, drawn[str(bad.pk)].answerable) == (True, False)


@pytest.mark.usefixtures("few_are_enough")
def test_thumbs_alone_are_enough_to_learn_from(documents: list[Document], employee: User) -> None:
    for thing, document in zip(THINGS, documents, strict=True):
        judged(f"Ile kosztuje {thing}?", "good", employee, cites=(document,))
    for thing in STRANGE:
        judged(f"Ile kosztuje {thing}?", "bad", employee, cites=(documents[0],))
    attempt = learn_relevance()
    assert attempt is not None
    assert (attempt.marks, attempt.questions) == (24, 24)
    assert attempt.outcome in ("adopted", "not_better")
    assert not EvaluationDataset.objects.exists()


def test_worse_by_either_measure_is_worse() -> None:
    held = Reliability(ece=0.1, ece_width=0.1, brier=0.2, auc=0.8, bins=())
    assert is_no_worse(held, held)
    assert is_no_worse(held, replace(held, ece=0.05, auc=0.9))
    assert not is_no_worse(held, replace(held, ece=0.11, auc=0.9))
    assert not is_no_worse(held, replace(held, ece=0.05, auc=0.79))


@pytest.mark.slow
@pytest.mark.usefixtures("marked", "few_are_enough")
def test_the_admin_says_what_was_learnt_and_what_waits(client: Client, superuser: User, employee: User) -> None:
    client.force_login(superuser)
    address = reverse("admin:rag_calibrationattempt_changelist")
    assert "przybyło 12 ocen" in client.get(address).content.decode()
    attempt = learn_relevance()
    assert attempt is not None
    page = client.get(address).content.decode()
    assert attempt.get_outcome_display() in page
    assert "przybyło 0 ocen" in page
    change = reverse("admin:rag_calibrationattempt_change", args=[attempt.pk])
    assert client.get(change).status_code == 200
    employee.is_staff = True
    employee.save()
    client.force_login(employee)
    assert client.get(address).status_code == 403
