"""A measurement begun on a page: done by a worker, watched, and compared as a run."""

from copy import copy
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from ingestion.jobs import run_job
from ingestion.models import Chunk, Collection, Document, Job
from ingestion.services.erasure import erase_document
from ingestion.types import Progress
from rag.evaluation.measuring import MeasurementJob, start_measurement
from rag.models import EvaluationDataset, EvaluationRun, MeasuredQuestion, Measurement
from rag.services.judging import add_case, create_dataset
from tests.conftest import index_text, make_public
from tests.kept import Kept

pytestmark = pytest.mark.django_db

MEASURE, PAGE = "admin:rag_evaluationrun_measure", "admin:rag_evaluationrun_measurement"
MAY = ("view_evaluationdataset", "view_evaluationrun", "add_evaluationrun")


@pytest.fixture(scope="module")
def kept_dataset(kept_rows: Kept) -> EvaluationDataset:
    with kept_rows.writing():
        public = make_public()
        leave = index_text(public, "Pracownikowi przysługuje 20 dni urlopu wypoczynkowego.", name="urlop.txt")
        index_text(public, "Psy wolno wprowadzać do parku tylko na smyczy.", name="psy.txt")
        made = create_dataset(name="gmina", collection=public)
        add_case(dataset=made, text="Ile dni urlopu przysługuje?", grades={leave.uri: 2})
        add_case(dataset=made, text="Jaka jest stolica Australii?", answerable=False)
        return made


@pytest.fixture
def dataset(kept_dataset: EvaluationDataset, db: None) -> EvaluationDataset:
    return copy(kept_dataset)


def signed_in(name: str = "osoba", permissions: tuple[str, ...] = MAY) -> Client:
    user = User.objects.create_user(name, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


def begin(client: Client, dataset: EvaluationDataset, **fields: Any) -> Any:
    return client.post(reverse(MEASURE), {"of": dataset.pk, "kind": "retrieval", **fields}, follow=True)


def words(response: Any) -> str:
    return " ".join(response.content.decode().split())


@pytest.mark.parametrize(("kind", "measure", "asked"), [("retrieval", "nDCG@10", 1), ("answers", "right_refusals", 2)])
def test_a_measurement_from_the_page_ends_as_a_run(
    dataset: EvaluationDataset, kind: str, measure: str, asked: int
) -> None:
    client = signed_in()
    response = begin(client, dataset, kind=kind, preset="offline")
    measurement = Measurement.objects.get()
    assert response.redirect_chain[-1][0] == reverse(PAGE, args=[measurement.pk])
    assert "w kolejce" in words(response)
    run_job(str(measurement.job_id))
    measurement.refresh_from_db()
    run = measurement.run
    assert run is not None
    assert (run.dataset, run.kind, run.preset, run.questions) == ("gmina", kind, "offline", asked)
    assert run.metrics[measure] == 1.0
    assert Job.objects.get(kind="measurement").status == "succeeded"
    assert reverse("admin:rag_evaluationrun_change", args=[run.pk]) in words(
        client.get(reverse(PAGE, args=[measurement.pk]))
    )


def test_the_second_measurement_offers_to_be_compared_with_the_first(dataset: EvaluationDataset) -> None:
    client = signed_in()
    for _ in range(2):
        begin(client, dataset)
        run_job(str(Job.objects.latest("created").pk))
    first, second = EvaluationRun.objects.order_by("pk")
    page = words(client.get(reverse(PAGE, args=[Measurement.objects.latest("pk").pk])))
    address = f"{reverse('admin:rag_evaluationrun_compare')}?before={first.pk}&amp;after={second.pk}"
    assert address in page
    assert client.get(address.replace("&amp;", "&")).status_code == 200


def test_the_queue_gets_the_job_once_it_is_stored(
    dataset: EvaluationDataset, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        begin(signed_in(), dataset)
    assert len(callbacks) == 1


def test_the_same_measurement_is_not_begun_twice(dataset: EvaluationDataset) -> None:
    client = signed_in()
    begin(client, dataset)
    begin(client, dataset)
    assert Measurement.objects.count() == Job.objects.filter(kind="measurement").count() == 1
    begin(client, dataset, limit="1")
    assert Measurement.objects.count() == 2


def test_what_a_killed_worker_left_is_done_anew_and_gives_one_run(dataset: EvaluationDataset) -> None:
    begin(signed_in(), dataset)
    job = Job.objects.get(kind="measurement")
    Job.objects.update(status="running", attempts=1, heartbeat=None)  # as after kill -9
    run_job(str(job.pk))
    assert EvaluationRun.objects.count() == 1
    Job.objects.update(status="running", heartbeat=None)  # killed between the run and the end of the job
    run_job(str(job.pk))
    job.refresh_from_db()
    assert (EvaluationRun.objects.count(), job.status) == (1, "succeeded")


class Killed(BaseException):
    pass


class MortalMeasurement(MeasurementJob):
    """While it is `mortal`, its worker is killed after the first question."""

    mortal = True

    def run(self, job: UUID, progress: Progress) -> bool:
        def die(done: int, total: int) -> None:
            progress(done, total)
            if self.mortal:
                raise Killed

        return super().run(job, die)


@pytest.fixture
def mortal(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> type[MortalMeasurement]:
    jobs = {"measurement": {"backend": f"{__name__}.MortalMeasurement"}}
    settings.RAG = {**settings.RAG, "components": {**settings.RAG["components"], "jobs": jobs}}
    monkeypatch.setattr(MortalMeasurement, "mortal", True)
    return MortalMeasurement


@pytest.mark.parametrize("kind", ["retrieval", "answers"])
def test_what_was_measured_before_the_worker_was_killed_is_not_measured_again(
    dataset: EvaluationDataset, mortal: type[MortalMeasurement], kind: str
) -> None:
    add_case(dataset=dataset, text="Gdzie wolno wprowadzać psy?", grades={Document.objects.get(uri="psy.txt").uri: 1})
    begin(signed_in(), dataset, kind=kind, preset="offline")
    job = Job.objects.get(kind="measurement")
    with pytest.raises(Killed):
        run_job(str(job.pk))
    assert MeasuredQuestion.objects.count() == 1
    mortal.mortal = False
    Chunk.objects.update(enabled=False)  # measured now, every question would find nothing
    Job.objects.update(heartbeat=None)
    run_job(str(job.pk))
    run = EvaluationRun.objects.get()
    first, *_, last = dataset.questions.values_list("external_id", flat=True)
    score = "Recall@5" if kind == "retrieval" else "documents_in_top_3"
    assert (run.scores[first][score], run.scores[last][score]) == (1.0, 0.0)
    assert run.questions == len(run.scores) == (2 if kind == "retrieval" else 3)
    assert not MeasuredQuestion.objects.exists()


def test_what_is_kept_of_a_measurement_under_way_has_no_words_of_documents_and_goes_with_an_erasure(
    dataset: EvaluationDataset, mortal: type[MortalMeasurement]
) -> None:
    begin(signed_in(), dataset, kind="answers")
    with pytest.raises(Killed):
        run_job(str(Job.objects.get(kind="measurement").pk))
    kept = MeasuredQuestion.objects.get()
    assert kept.result["answer"]["outcome"] == "answered"
    assert "wypoczynkowego" not in str(kept.result)
    erase_document(document=Document.objects.get(uri="psy.txt"))
    assert not MeasuredQuestion.objects.exists()


def test_a_measurement_that_kills_its_worker_each_time_is_given_up_with_words(
    dataset: EvaluationDataset, settings: Settings
) -> None:
    client = signed_in()
    begin(client, dataset)
    Job.objects.filter(kind="measurement").update(status="running", attempts=30, heartbeat=None)
    job = Job.objects.get(kind="measurement")
    run_job(str(job.pk))
    job.refresh_from_db()
    assert (job.status, job.error_code) == ("failed", "gave_up")
    assert "30 razy" in words(client.get(reverse(PAGE, args=[Measurement.objects.get().pk])))
    assert not EvaluationRun.objects.exists()


def test_a_set_without_questions_says_so(public: Collection) -> None:
    empty = create_dataset(name="pusty", collection=public)
    page = words(begin(signed_in(), empty))
    assert "Zbiór „pusty” nie ma jeszcze żadnego pytania." in page
    assert not Job.objects.exists()


def test_a_set_emptied_while_it_waited_fails_with_the_same_words(dataset: EvaluationDataset) -> None:
    begin(signed_in(), dataset)
    dataset.questions.all().delete()
    job = Job.objects.get(kind="measurement")
    run_job(str(job.pk))
    job.refresh_from_db()
    assert (job.status, job.error_code) == ("failed", "nothing_to_measure")
    assert "nie ma jeszcze żadnego pytania" in job.error_message


def test_retrieval_alone_needs_a_collection(db: None) -> None:
    everywhere = create_dataset(name="wszystko")
    add_case(dataset=everywhere, text="Ile dni urlopu?")
    assert "zbiór „wszystko” żadnej nie ma" in words(begin(signed_in(), everywhere))
    begin(signed_in("druga"), everywhere, kind="answers")
    assert Job.objects.get(kind="measurement").collection is None


def test_a_deleted_set_ends_its_measurement_quietly(dataset: EvaluationDataset) -> None:
    begin(signed_in(), dataset)
    job = Job.objects.get(kind="measurement")
    dataset.delete()
    run_job(str(job.pk))
    job.refresh_from_db()
    assert job.status == "cancelled"


@pytest.mark.parametrize("missing", MAY)
def test_only_who_may_add_runs_and_see_the_set_measures(dataset: EvaluationDataset, missing: str) -> None:
    client = signed_in(permissions=tuple(one for one in MAY if one != missing))
    if missing == "view_evaluationrun":
        begin(client, dataset)
        assert Measurement.objects.count() == 1  # one may begin what one does not see the result of
        return
    begin(client, dataset)
    assert not Measurement.objects.exists()


def test_a_set_of_a_closed_collection_is_neither_measured_nor_watched(
    restricted: Collection, member: User, superuser: User
) -> None:
    hidden = create_dataset(name="tajny", collection=restricted)
    add_case(dataset=hidden, text="Ile zarabia prezes?")
    client = signed_in()
    assert "tajny" not in words(client.get(reverse(MEASURE)))
    begin(client, hidden, kind="answers")
    assert not Measurement.objects.exists()
    begun = start_measurement(dataset=hidden, kind="answers", user=superuser)
    assert client.get(reverse(PAGE, args=[begun.pk])).status_code == 404


def test_the_list_and_the_page_of_the_set_lead_to_it(dataset: EvaluationDataset) -> None:
    client = signed_in()
    begin(client, dataset)
    runs = words(client.get(reverse("admin:rag_evaluationrun_changelist")))
    assert reverse(MEASURE) in runs
    page = words(client.get(reverse("admin:rag_evaluationdataset_change", args=[dataset.pk])))
    assert f"{reverse(MEASURE)}?dataset={dataset.pk}" in page
    assert reverse(PAGE, args=[Measurement.objects.get().pk]) in page
    reader = signed_in("bez-prawa", MAY[:2])
    assert reverse(MEASURE) not in words(reader.get(reverse("admin:rag_evaluationrun_changelist")))
