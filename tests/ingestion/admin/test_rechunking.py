"""The chunking is changed, watched, paused and rolled back in the admin, by those who may."""

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from ingestion.jobs import run_job
from ingestion.models import Collection, Rechunking
from ingestion.services.rechunking import Wish, start_rechunking
from rag.evaluation.datasets.dataset_storage import store_dataset
from tests.ingestion.api.library import Library

LIST = "admin:ingestion_rechunking_changelist"
NEW = "admin:ingestion_rechunking_new"


@pytest.fixture
def running(library: Library) -> Rechunking:
    return start_rechunking(
        collections=[library.collections["public"]], wish=Wish(chunk_size=64, overlap=0), queue=False
    )


def act(library: Library, verb: str, rechunking: Rechunking, viewer: str = "superuser") -> int:
    address = reverse("admin:ingestion_rechunking_act", args=[rechunking.pk, verb])
    status = library.client(viewer).post(address).status_code
    rechunking.refresh_from_db()
    return status


def keys(*collections: Collection) -> list[int]:
    return [collection.pk for collection in collections]


def test_the_chunking_is_changed_by_a_form_and_rolled_back_by_a_button(library: Library) -> None:
    client, public = library.client("superuser"), library.collections["public"]
    assert client.get(reverse(NEW)).status_code == 200
    form = {"collections": keys(public), "chunker": "recursive", "chunk_size": "64", "overlap": "0", "margin": "0.01"}
    assert client.post(reverse(NEW), form).status_code == 302
    rechunking = Rechunking.objects.get()
    run_job(str(rechunking.jobs.get().pk))
    rechunking.refresh_from_db()
    public.refresh_from_db()
    assert (rechunking.status, public.chunking["chunker"], public.chunking["chunk_size"]) == ("done", "recursive", 64)
    page = client.get(reverse("admin:ingestion_rechunking_change", args=[rechunking.pk])).content.decode()
    assert "roll-back" in page
    assert "recursive" in page
    assert act(library, "roll-back", rechunking) == 302
    run_job(str(rechunking.jobs.latest("created").pk))
    rechunking.refresh_from_db()
    public.refresh_from_db()
    assert (rechunking.status, public.chunking) == ("rolled_back", {})


def test_as_the_settings_say_is_a_choice(library: Library) -> None:
    client, public = library.client("superuser"), library.collections["public"]
    public.chunking = {"chunker": "recursive", "chunk_size": 64, "overlap": 0, "options": {}}
    public.save()
    assert client.post(reverse(NEW), {"collections": keys(public), "chunker": "-", "margin": "0"}).status_code == 302
    assert Rechunking.objects.get().parts.get().after == {}


def test_what_cannot_be_is_said_above_the_form(library: Library, running: Rechunking) -> None:
    client = library.client("superuser")
    form = {"collections": keys(library.collections["internal"]), "chunker": "legal", "margin": "0.01"}
    assert client.post(reverse(NEW), form).status_code == 200  # another one runs
    assert Rechunking.objects.count() == 1


def test_it_is_paused_and_resumed_after_a_confirmation(library: Library, running: Rechunking) -> None:
    client = library.client("superuser")
    for verb in ("pause", "resume", "roll-back"):
        address = reverse("admin:ingestion_rechunking_act", args=[running.pk, verb])
        assert client.get(address).status_code == 200
    running.refresh_from_db()
    assert (running.status, running.backwards) == ("running", False)
    assert act(library, "pause", running) == 302
    assert running.status == "paused"
    assert act(library, "resume", running) == 302
    assert running.status == "running"


def test_live_cells_settle_when_nothing_runs(library: Library, running: Rechunking) -> None:
    address, client = reverse("admin:ingestion_rechunking_progress"), library.client("superuser")
    answer = client.get(address, {"id": str(running.pk)}).json()
    assert answer["settled"] is False
    assert "<progress" in answer["rows"][str(running.pk)]["progress"]
    act(library, "pause", running)
    assert client.get(address, {"id": str(running.pk)}).json()["settled"] is True


def test_only_who_may_change_the_chunking_acts(library: Library, running: Rechunking) -> None:
    viewer = library.viewers["editor"]
    assert isinstance(viewer, User)
    viewer.user_permissions.remove(Permission.objects.get(codename="change_rechunking"))
    assert act(library, "pause", running, viewer="editor") == 403
    assert library.client("editor").get(reverse(NEW)).status_code == 403
    assert running.status == "running"


def test_whoever_may_not_read_a_collection_neither_sees_nor_changes_its_chunking(library: Library) -> None:
    restricted, client = library.collections["restricted"], library.client("editor")
    store_dataset(name="tajny-zbior", collection=restricted, questions=[])
    form = client.get(reverse(NEW)).content.decode()
    assert library.collections["internal"].name in form
    assert restricted.name not in form
    assert "tajny-zbior" not in form
    answer = client.post(reverse(NEW), {"collections": keys(restricted), "chunker": "legal", "margin": "0.01"})
    assert answer.status_code == 200
    assert not Rechunking.objects.exists()
    both = [library.collections["public"], restricted]
    rechunking = start_rechunking(collections=both, wish=Wish(chunk_size=64, overlap=0), queue=False)
    assert restricted.name not in client.get(reverse(LIST)).content.decode()
    assert client.get(reverse("admin:ingestion_rechunking_progress"), {"id": rechunking.pk}).json()["rows"] == {}
    assert act(library, "pause", rechunking, viewer="editor") == 404
    assert rechunking.status == "running"


def test_the_tolerated_loss_is_told_where_a_golden_set_is_measured(library: Library, running: Rechunking) -> None:
    page = reverse("admin:ingestion_rechunking_change", args=[running.pk])
    assert "nDCG@10" not in library.client("superuser").get(page).content.decode()
    Rechunking.objects.update(gate="gmina")
    assert "Dopuszczalna strata nDCG@10" in library.client("superuser").get(page).content.decode()
