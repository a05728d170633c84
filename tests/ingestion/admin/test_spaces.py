import pytest
from django.urls import reverse

from ingestion.models import EmbeddingSpace, Job
from ingestion.services.spaces import create_space
from tests.ingestion.api.library import Library

LIST = "admin:ingestion_embeddingspace_changelist"


@pytest.fixture
def building(library: Library) -> EmbeddingSpace:
    return create_space(embedder="hashing", options={"dimension": 64}, name="nowa", queue=False)


def act(library: Library, verb: str, space: EmbeddingSpace, viewer: str = "superuser", **form: str) -> int:
    address = reverse("admin:ingestion_embeddingspace_act", args=[space.pk, verb])
    return library.client(viewer).post(address, form).status_code


def test_the_list_shows_how_far_each_space_is(library: Library, building: EmbeddingSpace) -> None:
    page = library.client("superuser").get(reverse(LIST)).content.decode()
    total = library.ready["public"].chunk_count * 3
    assert f'max="{total}" value="0"' in page


def test_live_cells_settle_when_nothing_is_built(library: Library, building: EmbeddingSpace) -> None:
    address, client = reverse("admin:ingestion_embeddingspace_progress"), library.client("superuser")
    answer = client.get(address, {"id": str(building.pk)}).json()
    assert answer["settled"] is False
    assert "progress" in answer["rows"][str(building.pk)]
    EmbeddingSpace.objects.filter(pk=building.pk).update(paused=True)
    assert client.get(address, {"id": str(building.pk)}).json()["settled"] is True


def test_a_space_is_created_paused_resumed_and_activated(library: Library) -> None:
    client = library.client("superuser")
    address = reverse("admin:ingestion_embeddingspace_new")
    assert client.get(address).status_code == 200
    assert client.post(address, {"embedder": "hashing", "name": "nowa", "sentence_vectors": "on"}).status_code == 302
    space = EmbeddingSpace.objects.get(name="nowa")
    assert space.sentence_vectors
    assert act(library, "pause", space) == 302
    space.refresh_from_db()
    assert space.paused
    page = client.get(reverse("admin:ingestion_embeddingspace_change", args=[space.pk])).content.decode()
    assert "resume" in page
    assert act(library, "activate", space, gate="", margin="0.01") == 302
    space.refresh_from_db()
    assert (space.paused, space.activate_when_full) == (False, True)
    assert Job.objects.filter(space=space).count() == 1


def test_what_is_not_possible_is_said_above_the_form(library: Library, building: EmbeddingSpace) -> None:
    active = EmbeddingSpace.objects.get(status="active")
    assert act(library, "drop", active) == 200
    assert EmbeddingSpace.objects.filter(pk=active.pk).exists()


def test_nothing_happens_before_the_confirmation(library: Library, building: EmbeddingSpace) -> None:
    client = library.client("superuser")
    for verb in ("pause", "activate", "retire", "drop"):
        assert client.get(reverse("admin:ingestion_embeddingspace_act", args=[building.pk, verb])).status_code == 200
    building.refresh_from_db()
    assert (building.status, building.paused, building.activate_when_full) == ("building", False, False)


def test_only_who_may_change_spaces_acts(library: Library, building: EmbeddingSpace) -> None:
    for verb in ("pause", "drop"):
        assert act(library, verb, building, viewer="member") in {302, 403}
    building.refresh_from_db()
    assert (building.status, building.paused) == ("building", False)
