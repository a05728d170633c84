"""A run, or two compared, as a page that needs nothing else."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from rag.evaluation.pages.run import run_page
from rag.models import EvaluationDataset, EvaluationRun
from rag.services.judging import add_case, create_dataset
from tests.rag.admin.evaluation.conftest import hidden_set, signed_in  # noqa: F401  (a fixture)
from tests.rag.management.test_evaluate_everyday import evaluate, questions  # noqa: F401  (a fixture)

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> EvaluationDataset:
    made = create_dataset(name="urlopy")
    add_case(dataset=made, text="Ile dni <b>urlopu</b>?", expected_answer="26 dni")
    add_case(dataset=made, text="Kto wydaje klucze?")
    return made


def a_run(dataset: EvaluationDataset, *outcomes: str, **fields: object) -> EvaluationRun:
    keys = dataset.questions.values_list("external_id", flat=True)
    told = {"kind": "who", "answerable": True, "confidence": 0.65, "rank": 1}
    return EvaluationRun.objects.create(
        dataset=dataset.name,
        kind="answers",
        metrics={"correctness": 0.5},
        scores={key: {"correctness": float(outcome == "right")} for key, outcome in zip(keys, outcomes, strict=True)},
        outcomes={key: {**told, "outcome": outcome} for key, outcome in zip(keys, outcomes, strict=True)},
        latency={"total": {"p50": 10.0, "p95": 20.0, "p99": 30.0}},
        questions=len(outcomes),
        **{"preset": "offline", **fields},
    )


def body(page: str) -> ElementTree.Element:
    return ElementTree.fromstring(page[page.index("<body>") : page.index("</html>")].replace("&nbsp;", " "))


def test_two_runs_are_drawn_and_the_questions_between_them_named(dataset: EvaluationDataset) -> None:
    before, after = a_run(dataset, "right", "refused"), a_run(dataset, "wrong", "right", options={"limit": 2})
    key = dataset.questions.get(expected_answer="26 dni").external_id
    with translation.override("pl"):
        page = run_page(after, before, answers={key: "Przysługuje <i>20</i> dni [1]."})
    drawn = body(page)
    assert len(drawn.findall(".//figure/svg")) == 2
    assert len(drawn.findall(".//path[@class='earlier']")) == 1
    rows = [[" ".join("".join(cell.itertext()).split()) for cell in row] for row in drawn.iter("tr")]
    told = "Ile dni <b>urlopu</b>? Oczekiwane: 26 dni Przysługuje <i>20</i> dni [1]."
    assert [told, "dobra odpowiedź", "błędna odpowiedź"] in rows
    assert ["Kto wydaje klucze?", "odmowa", "dobra odpowiedź"] in rows
    bold = [row for row in drawn.iter("tr") if row.get("class") == "differs"]
    assert "Sposób zadawania" in [row[0].text for row in bold]
    assert "Profil" not in [row[0].text for row in bold]


def test_it_loads_nothing_from_elsewhere(dataset: EvaluationDataset) -> None:
    page = run_page(a_run(dataset, "right", "wrong"))
    assert not [one for one in ("http:", "https:", "src=", "href=", "@import", "url(") if one in page]
    assert "@media print" in page


def test_one_run_shows_its_weakest_questions_and_says_why_it_has_no_answers(dataset: EvaluationDataset) -> None:
    with translation.override("pl"):
        page = run_page(a_run(dataset, "right", "wrong"))
    assert page.index("Najsłabsze pytania") < page.index("Kto wydaje klucze?")
    assert "Przebiegi nie zachowują odpowiedzi" in page


def test_the_command_writes_the_answers_that_it_was_given(questions: str, tmp_path: Path) -> None:  # noqa: F811
    file = tmp_path / "raport.html"
    evaluate(questions, "--report", str(file))
    assert "26 dni urlopu" in "".join(body(file.read_text(encoding="utf-8")).itertext())
    evaluate(questions, "--run", "last", "--compare", "last", "--report", str(file))
    assert EvaluationRun.objects.count() == 1
    again = file.read_text(encoding="utf-8")
    assert "26 dni urlopu" not in again
    assert "Gorzej: 0" in again


def test_the_page_of_a_run_gives_it_to_whoever_may_see_both(
    dataset: EvaluationDataset,
    hidden_set: EvaluationDataset,  # noqa: F811
) -> None:
    run, other = a_run(dataset, "right", "wrong"), a_run(hidden_set, "right")
    client = signed_in("view_evaluationrun", "view_evaluationdataset")
    given = client.get(reverse("admin:rag_evaluationrun_report", args=[run.pk]))
    assert given["Content-Disposition"] == f'attachment; filename="evaluation-{run.pk}.html"'
    assert "urlopy" in given.content.decode()

    def status(pk: int, client: Client = client, **query: int) -> int:
        return client.get(reverse("admin:rag_evaluationrun_report", args=[pk]), query).status_code

    assert status(run.pk, before=a_run(dataset, "right", "right").pk) == 200
    assert status(other.pk) == status(run.pk, before=other.pk) == 404
    assert status(run.pk, signed_in("view_evaluationdataset")) == 404
