"""What may be done with a space, and what happens then."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from ingestion.errors import SpaceError
from ingestion.index.serving import active_space
from ingestion.jobs import run_job
from ingestion.models import Chunk, ChunkEmbedding, Collection, EmbeddingSpace, Job
from ingestion.renewal.reembedding.missing_vectors import is_full
from ingestion.services.chunks import edit_chunk
from ingestion.services.spaces import (
    activate_space,
    create_space,
    drop_space,
    fill_space,
    pause_space,
    resume_space,
    retire_space,
    roll_back,
)
from knowledgetree.components import component
from rag.evaluation.datasets.dataset_storage import store_dataset
from rag.evaluation.datasets.questions import LabelledQuestion
from tests.conftest import AddDocument

ANOTHER = {"embedder": "hashing", "options": {"dimension": 64}, "queue": False}


@pytest.fixture(autouse=True)
def _without_rest(settings: Any) -> None:
    settings.RAG = {**settings.RAG, "reembedding": {"rest": 0.0}}


@pytest.fixture
def first(public: Collection, index: AddDocument) -> EmbeddingSpace:
    index(public, "Urlop wynosi 26 dni.", name="urlop.txt")
    index(public, "Faktura korygująca.", name="faktura.txt")
    return EmbeddingSpace.objects.get()


def run(job: Job) -> Job:
    run_job(str(job.pk))
    job.refresh_from_db()
    return job


class TestTransitions:
    def test_the_active_space_can_neither_be_paused_retired_nor_dropped(self, first: EmbeddingSpace) -> None:
        for act in (pause_space, retire_space, activate_space):
            with pytest.raises(SpaceError, match=r"Najpierw aktywuj|Activate another"):
                act(space=first)
        with pytest.raises(SpaceError):
            drop_space(space=first)

    def test_names_are_free_or_refused(self, first: EmbeddingSpace) -> None:
        assert create_space(**ANOTHER).name == "hashing-1"
        with pytest.raises(SpaceError):
            create_space(**ANOTHER, name="hashing-1")

    def test_a_space_has_one_unfinished_job(self, first: EmbeddingSpace) -> None:
        space = create_space(**ANOTHER)
        fill_space(space=space, queue=False)
        pause_space(space=space)
        with pytest.raises(SpaceError):
            fill_space(space=space, queue=False)
        resume_space(space=space, queue=False)
        activate_space(space=space, queue=False)
        assert Job.objects.filter(space=space).count() == 1

    def test_a_golden_set_that_is_not_there_is_refused_before_the_work(self, first: EmbeddingSpace) -> None:
        space = create_space(**ANOTHER)
        with pytest.raises(SpaceError, match="nieznany"):
            activate_space(space=space, gate="nieznany", queue=False)
        space.refresh_from_db()
        assert not space.activate_when_full


@pytest.mark.django_db(transaction=True)
class TestActivation:
    def test_rolling_back_brings_the_old_space_with_what_it_missed(
        self, first: EmbeddingSpace, public: Collection, index: AddDocument
    ) -> None:
        new = create_space(**ANOTHER)
        assert run(activate_space(space=new, queue=False)).status == "succeeded"
        index(public, "Przyszedł po zmianie.", name="nowy.txt")
        edit_chunk(chunk=Chunk.objects.get(text="Faktura korygująca."), text="Nota korygująca.")
        assert not is_full(first)
        run(roll_back(queue=False))
        first.refresh_from_db()
        assert first.status == "active"
        assert is_full(first)
        assert ChunkEmbedding.objects.filter(space=first).count() == 3

    def test_without_an_earlier_space_there_is_nothing_to_roll_back_to(self, first: EmbeddingSpace) -> None:
        with pytest.raises(SpaceError):
            roll_back(queue=False)

    def test_the_space_that_was_active_is_dropped_a_minute_later(self, first: EmbeddingSpace) -> None:
        run(activate_space(space=create_space(**ANOTHER), queue=False))
        with pytest.raises(SpaceError):
            drop_space(space=first)
        EmbeddingSpace.objects.filter(pk=first.pk).update(retired=timezone.now() - timedelta(minutes=2))
        drop_space(space=first)
        assert not EmbeddingSpace.objects.filter(pk=first.pk).exists()
        assert not ChunkEmbedding.objects.filter(space_id=first.pk).exists()

    def test_a_space_that_answers_worse_is_refused_and_the_old_one_stays(
        self, first: EmbeddingSpace, public: Collection
    ) -> None:
        store_dataset(name="zlote", collection=public, questions=[golden("urlop wynosi", "urlop.txt")])
        space = create_space(**ANOTHER)
        gate = component("gates", "golden_set")
        job = run(activate_space(space=space, gate="zlote", margin=-0.5, queue=False))  # even as good is not enough
        space.refresh_from_db()
        assert gate.known() == ["zlote"]
        assert (job.status, job.error_code, space.status) == ("failed", "activation_refused", "building")
        assert "nDCG@10" in space.error
        assert "1.000" in space.error
        assert active_space() == first
        assert run(activate_space(space=space, gate="zlote", queue=False)).status == "succeeded"

    def test_the_command_fills_and_activates(self, first: EmbeddingSpace, capsys: pytest.CaptureFixture[str]) -> None:
        space = create_space(**ANOTHER, name="nowa")
        call_command("reembed", "--space", "nowa", "--activate")
        space.refresh_from_db()
        assert space.status == "active"
        assert "2 z 2" in capsys.readouterr().out
        call_command("reembed", "--list")
        assert "wycofana" in capsys.readouterr().out
        with pytest.raises(CommandError, match="Przestrzenie"):
            call_command("reembed", "--drop", "--space", "nieznana")


def test_a_process_searches_in_the_previous_space_until_it_has_the_new_embedder(first: EmbeddingSpace) -> None:
    component("embedders", first.embedder, first.options)
    first.status, first.retired = EmbeddingSpace.Status.RETIRED, timezone.now()
    first.save()
    new = EmbeddingSpace.objects.create(
        name="nowa", embedder="nowhere.Missing", model="x", dimension=8, status=EmbeddingSpace.Status.ACTIVE
    )
    assert active_space() == first
    EmbeddingSpace.objects.filter(pk=first.pk).update(retired=timezone.now() - timedelta(minutes=2))
    assert active_space() == new


def golden(question: str, document: str) -> LabelledQuestion:
    return LabelledQuestion(id=document, question=question, answerable=True, expected_documents=(document,))
