"""The search for another way to split documents: real documents, indexed on trial beside what serves."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, Group, Permission, User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from ingestion.jobs import run_job
from ingestion.models import Chunk, Collection, Document, EmbeddingCacheEntry, Job, Rechunking
from ingestion.renewal import trial_copies
from ingestion.selectors import operator, trying, visible_collections, visible_documents
from ingestion.services.documents import delete_document
from ingestion.services.erasure import erase_document
from ingestion.services.rights import set_document_rights
from ingestion.types import Readers
from rag.evaluation.datasets.dataset_storage import store_dataset
from rag.evaluation.datasets.questions import LabelledQuestion
from rag.evaluation.optimization import search as searching
from rag.evaluation.optimization import tried_chunking
from rag.evaluation.optimization.copies import remove_abandoned_copies
from rag.evaluation.optimization.job import NotWritten, change_chunking
from rag.evaluation.optimization.result import Optimum
from rag.evaluation.optimization.search import Search
from rag.evaluation.optimization.variations import OutOfTime
from rag.evaluation.resuming import Unwanted
from rag.models import EvaluationDataset, Optimization
from rag.services.search import search_passages
from rag.types import Filters
from tests.conftest import index_text, make_public
from tests.kept import Kept

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

N = 20
_SYLLABLES = ("bor", "cel", "dam", "fur", "gil", "hop", "kam"), ("ona", "uda", "eka"), ("ma", "wa")
WORDS = ["".join(parts) for parts in product(*_SYLLABLES)]
FILLER = "Rada zebrała się wieczorem i długo omawiała sprawy bieżące, a potem wysłuchała mieszkańców osiedla. "
COARSE = {"chunker": "recursive", "chunk_size": 1024, "overlap": 0, "options": {}}


def asked_words(n: int) -> tuple[str, str]:
    return WORDS[2 * n], WORDS[2 * n + 1]


def target(n: int) -> str:
    """Says both words in one sentence, and much else."""
    first, second = asked_words(n)
    return f"{FILLER * 3}\n\nZapisano, że {first} i {second} należą do siebie.\n\n{FILLER * 3}"


def decoy(n: int) -> str:
    """Says each word more often, far from the other: a large chunk of it has both."""
    first, second = asked_words(n)
    return f"{f'Osobno stoi {first}. ' * 6}\n\n{FILLER * 7}\n\n{f'Osobno leży {second}. ' * 6}"


def questions(names: Sequence[str]) -> list[LabelledQuestion]:
    return [
        LabelledQuestion(id=f"p{n}", question=" ".join(asked_words(n)), expected_documents=(name,))
        for n, name in enumerate(names)
    ]


@pytest.fixture(scope="module")
def kept_dataset(kept_rows: Kept) -> EvaluationDataset:
    """Large chunks are in force, and small ones are plainly better."""
    with kept_rows.writing():
        collection = make_public()
        Collection.objects.filter(pk=collection.pk).update(chunking=COARSE)
        for n in range(N):
            index_text(collection, target(n), name=f"cel-{n}.txt")
            index_text(collection, decoy(n), name=f"pozor-{n}.txt")
        return store_dataset(
            name="para słów", questions=questions([f"cel-{n}.txt" for n in range(N)]), collection=collection
        )


@pytest.fixture
def dataset(kept_dataset: EvaluationDataset, db: None) -> EvaluationDataset:
    return EvaluationDataset.objects.get(pk=kept_dataset.pk)


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tried_chunking.TriedChunking, "most", 1)
    monkeypatch.setattr(tried_chunking, "_WORTH_A_TRY", (128,))


def wanted(dataset: EvaluationDataset, **fields: Any) -> Optimization:
    chosen = {"preset": "offline", "measure": "nDCG@10", "seconds": 600, "tries": "chunking", **fields}
    return Optimization.objects.create(dataset=dataset, **chosen)


def search(optimization: Optimization) -> Optimum:
    return Search(optimization, progress=lambda done, total: None).run()


def scratch() -> tuple[int, int]:
    """Collections and documents on trial that there are."""
    return (
        Collection.with_archives.filter(trial_of__isnull=False).count(),
        Document.of_all_times.filter(trial_of__isnull=False).count(),
    )


def test_the_better_chunking_is_found_and_proven_and_nothing_is_left(dataset: EvaluationDataset) -> None:
    chunks = Chunk.objects.count()
    found = search(wanted(dataset))
    assert found.proven, found
    assert {change.name: change.after for change in found.changes} == {"chunk_size": 128}
    assert found.parts == {**COARSE, "chunk_size": 128}
    assert (scratch(), Chunk.objects.count()) == ((0, 0), chunks)


def test_where_no_chunking_is_better_none_is_claimed(public: Collection) -> None:
    """Texts of one sentence are one chunk however they are split."""
    for n in range(N):
        index_text(public, f"Zapisano, że {' i '.join(asked_words(n))} należą do siebie.", name=f"zdanie-{n}.txt")
    named = questions([f"zdanie-{n}.txt" for n in range(N)])
    found = search(wanted(store_dataset(name="zdania", questions=named, collection=public)))
    assert (found.changes, found.parts, found.proven, scratch()) == ((), {}, False, (0, 0))


def test_one_killed_among_its_copies_goes_on_with_them(
    dataset: EvaluationDataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    optimization = wanted(dataset)
    copy, copied = trial_copies._copy, []

    def killed(trial: Collection, documents: Sequence[Document]) -> bool:
        if len(copied) == 4:  # the copy of what is in force has three batches
            raise KeyboardInterrupt
        copied.append(len(documents))
        return copy(trial, documents)

    monkeypatch.setattr(trial_copies, "_copy", killed)
    with pytest.raises(KeyboardInterrupt):
        search(optimization)
    assert (scratch(), optimization.trials.count()) == ((2, 2 * N + 16), 1)
    del copied[:]
    monkeypatch.setattr(trial_copies, "_copy", lambda trial, its: copied.append(len(its)) or copy(trial, its))
    assert search(optimization).proven
    assert copied[0] == 16
    assert sum(copied[:2]) == 2 * N - 16
    assert scratch() == (0, 0)


def test_what_a_killed_one_left_is_gone_with_the_next_or_a_cleaning(
    dataset: EvaluationDataset, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = trial_copies._copy
    monkeypatch.setattr(trial_copies, "_copy", lambda trial, its: bool(copy(trial, its)) and _be_killed())
    for clean in (lambda: call_command("optimize", clean=True), lambda: search(wanted(dataset))):
        monkeypatch.setattr(trial_copies, "_copy", lambda trial, its: bool(copy(trial, its)) and _be_killed())
        with pytest.raises(KeyboardInterrupt):
            search(wanted(dataset))
        assert scratch() == (1, 16)
        monkeypatch.setattr(trial_copies, "_copy", copy)
        clean()
        assert scratch() == (0, 0)
    assert "1" in capsys.readouterr().out


def test_copies_of_a_job_that_a_worker_takes_up_again_stay(dataset: EvaluationDataset) -> None:
    job = Job.objects.create(kind=Job.Kind.OPTIMIZATION, collection=dataset.collection, status=Job.Status.RUNNING)
    optimization = wanted(dataset, job=job)
    made_copy(optimization)
    assert (remove_abandoned_copies(), scratch()[0]) == (0, 1)
    Job.objects.filter(pk=job.pk).update(status=Job.Status.FAILED)
    assert (remove_abandoned_copies(), scratch()) == (1, (0, 0))


def test_a_search_that_is_deleted_meanwhile_leaves_nothing(dataset: EvaluationDataset) -> None:
    optimization = wanted(dataset)
    prepared = Search(optimization, progress=lambda done, total: None)
    dataset.delete()
    with pytest.raises(Unwanted):
        prepared.run()
    assert scratch() == (0, 0)


def test_too_little_time_is_said_and_leaves_nothing(
    dataset: EvaluationDataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter(range(0, 100_000, 40))
    monkeypatch.setattr(searching.time, "perf_counter", lambda: float(next(clock)))
    with pytest.raises(OutOfTime):
        search(wanted(dataset, seconds=60))
    assert scratch() == (0, 0)


def test_nobody_sees_a_copy(dataset: EvaluationDataset) -> None:
    collection = dataset.collection
    assert collection is not None
    copy = made_copy(wanted(dataset))
    everyone = (AnonymousUser(), operator(), User.objects.create_superuser("naczelny"))
    for viewer in everyone:
        assert copy not in visible_collections(viewer)
        assert not visible_documents(viewer).filter(collection=copy.pk)
        passages = search_passages(query=" ".join(asked_words(0)), viewer=viewer, top_k=100).passages
        assert {passage.collection for passage in passages} == {collection.slug}
    client = Client()
    client.force_login(everyone[2])
    pages = ("ingestion_document_changelist", "ingestion_chunk_changelist", "ingestion_collection_changelist")
    counted = [client.get(reverse(f"admin:{page}")).context["cl"].result_count for page in pages]
    assert counted == [2 * N, Chunk.objects.exclude(collection=copy).count(), 1]


def test_a_copy_keeps_the_readers_of_its_documents(dataset: EvaluationDataset) -> None:
    document = Document.objects.get(uri__endswith="cel-0.txt")
    readers = Readers(groups=frozenset({Group.objects.create(name="Kadry").pk}))
    set_document_rights(document=document, readers=readers, origin="editor")
    copy = made_copy(wanted(dataset))
    copied = Document.of_all_times.get(collection=copy, trial_of=document)
    document.refresh_from_db()
    assert copied.readership_id == document.readership_id
    filters = Filters(collections=(dataset.collection.slug,)) if dataset.collection else Filters()
    for viewer, may in ((AnonymousUser(), False), (operator(), True)):
        found = search_passages(query=" ".join(asked_words(0)), viewer=trying(viewer, [copy]), filters=filters)
        assert (copied.pk in {passage.document_id for passage in found.passages}) is may


@pytest.mark.parametrize("end", [delete_document, erase_document])
def test_a_document_that_goes_takes_its_copies_along(dataset: EvaluationDataset, end: Any) -> None:
    copy = made_copy(wanted(dataset))
    document = Document.objects.get(uri__endswith="cel-0.txt")
    assert Document.of_all_times.filter(trial_of=document).exists()
    end(document=document)
    assert not Document.of_all_times.filter(collection=copy, uri=document.uri).exists()
    assert not Chunk.objects.filter(text__contains=asked_words(0)[0], collection=copy, document__uri=document.uri)


def test_what_is_found_is_put_in_force_without_a_pause(dataset: EvaluationDataset) -> None:
    optimization = wanted(dataset)
    with pytest.raises(NotWritten):
        change_chunking(optimization)
    search(optimization)
    kept = EmbeddingCacheEntry.objects.count()
    key = change_chunking(optimization)
    change = Rechunking.objects.get(pk=key)
    assert change.gate == dataset.name
    run_job(str(change.jobs.get().pk))
    change.refresh_from_db()
    assert (change.status, change.done) == ("done", 2 * N)
    assert set(Document.objects.values_list("chunking__chunk_size", flat=True)) == {128}
    assert EmbeddingCacheEntry.objects.count() == kept  # nothing was embedded once more
    with pytest.raises(NotWritten, match="podzielone inaczej"):
        change_chunking(optimization)


def test_from_the_page_to_the_change(dataset: EvaluationDataset) -> None:
    client = signed_in("view_evaluationdataset", "add_evaluationrun", "view_rechunking", "change_rechunking")
    fields = {"of": dataset.pk, "tries": "chunking", "measure": "nDCG@10", "subject": "preset:offline", "minutes": 5}
    client.post(reverse("admin:rag_evaluationrun_optimize"), fields)
    optimization = Optimization.objects.get()
    run_job(str(Job.objects.get(kind="optimization").pk))
    shown = client.get(reverse("admin:rag_evaluationrun_optimization", args=[optimization.pk])).content.decode()
    assert "recursive, do 128 tokenów" in shown
    assert f"{2 * N} z {2 * N}" in shown
    split = reverse("admin:rag_evaluationrun_change_chunking", args=[optimization.pk])
    response = client.post(split)
    change = Rechunking.objects.get()
    assert response.headers["Location"] == reverse("admin:ingestion_rechunking_change", args=[change.pk])
    stranger = signed_in("view_evaluationdataset", "add_evaluationrun")
    assert stranger.post(split).status_code == 403
    form = stranger.get(reverse("admin:rag_evaluationrun_optimize")).context["form"]
    assert [value for value, _label in form.fields["tries"].choices] == ["parts"]


def test_the_command_reports_the_ways_that_were_tried(
    dataset: EvaluationDataset, capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    report = tmp_path / "raport.html"
    options = {"dataset": dataset.name, "preset": "offline", "measure": "nDCG@10", "report": report}
    call_command("optimize", tries="chunking", write=True, verbosity=0, **options)
    assert "chunk_size: 1024 → 128" in capsys.readouterr().out
    assert "recursive, do 1024 tokenów, zakładka 0 (obecny podział)" in report.read_text()
    assert Rechunking.objects.get().parts.get().after == {**COARSE, "chunk_size": 128}


def made_copy(optimization: Optimization) -> Collection:
    """The copy of what is in force, as a search makes it first."""
    kind = tried_chunking.TriedChunking(optimization)
    copies = tried_chunking.copies_for(optimization, kind.found({}), lambda: True)
    assert copies is not None
    return copies[0]


def signed_in(*permissions: str) -> Client:
    user = User.objects.create_user(f"osoba{User.objects.count()}", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


def _be_killed() -> bool:
    raise KeyboardInterrupt
