"""Sources are the editors' business, and only those of collections they may read."""

import pytest

from ingestion.models import Job, Source, SyncReport
from tests.ingestion.api.library import Library


@pytest.fixture
def source(library: Library) -> Source:
    found = Source.objects.create(
        collection=library.collections["public"], kind="web", name="BIP", location="https://a.pl/"
    )
    SyncReport.objects.create(source=found, status="succeeded", counts={"new": 2})
    return found


@pytest.mark.parametrize("viewer", ["anonymous", "signed_in", "member"])
@pytest.mark.parametrize("path", ["", "/{}", "/{}/reports", "/{}/sync"])
def test_readers_see_no_sources(library: Library, source: Source, viewer: str, path: str) -> None:
    client, address = library.client(viewer), f"/api/sources{path.format(source.pk)}"
    answer = client.post(address) if path.endswith("sync") else client.get(address)
    assert answer.status_code == 403
    assert not Job.objects.filter(kind="sync_source").exists()


def test_editors_read_sources_and_their_reports(library: Library, source: Source) -> None:
    client = library.client("editor")
    assert [one["name"] for one in client.get("/api/sources").json()["results"]] == ["BIP"]
    assert client.get(f"/api/sources/{source.pk}").json()["collection"] == "public"
    (report,) = client.get(f"/api/sources/{source.pk}/reports").json()["results"]
    assert report["counts"] == {"new": 2}


def test_editors_start_one_synchronisation(library: Library, source: Source) -> None:
    client = library.client("editor")
    first, second = (client.post(f"/api/sources/{source.pk}/sync") for _ in range(2))
    assert (first.status_code, first.json()["id"]) == (202, second.json()["id"])


def test_uploads_cannot_be_synchronised(library: Library, source: Source) -> None:
    Source.objects.update(kind="upload")
    answer = library.client("editor").post(f"/api/sources/{source.pk}/sync")
    assert answer.status_code == 422
    assert answer.json()["code"] == "source_refused"


@pytest.mark.parametrize("path", ["", "/reports", "/sync"])
def test_sources_of_other_collections_are_not_there(library: Library, source: Source, path: str) -> None:
    Source.objects.update(collection=library.collections["restricted"])
    client, address = library.client("editor"), f"/api/sources/{source.pk}{path}"
    assert (client.post(address) if path == "/sync" else client.get(address)).status_code == 404
