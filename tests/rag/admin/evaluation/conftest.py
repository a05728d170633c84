"""Sets of questions, runs that measured them, and who looks at them."""

from copy import copy
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from ingestion.models import Collection
from rag.models import EvaluationDataset, EvaluationRun
from rag.services.judging import add_case, create_dataset
from tests.conftest import make_public
from tests.kept import Kept

SETS, QUESTIONS, RUNS = (f"admin:rag_evaluation{name}_changelist" for name in ("dataset", "question", "run"))
CHANGE = "admin:rag_evaluation{}_change"
IMPORT, COMPARE = "admin:rag_evaluationdataset_import", "admin:rag_evaluationrun_compare"


@pytest.fixture(scope="module")
def kept_dataset(kept_rows: Kept) -> EvaluationDataset:
    with kept_rows.writing():
        made = create_dataset(name="gmina", collection=make_public())
        for number in range(12):
            add_case(dataset=made, text=f"Pytanie numer {number}?", grades={f"dokument-{number}.txt": 1})
        return made


@pytest.fixture
def dataset(kept_dataset: EvaluationDataset, db: None) -> EvaluationDataset:
    return copy(kept_dataset)


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
