"""Sources are the editors' business, and only those of collections they may read."""

import pytest

from ingestion.models import Job, Source, SourceAddress, SyncReport
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


def new(**fields: object) -> dict[str, object]:
    return {"collection": "public", "kind": "web", "name": "Statut", "location": "https://example.com/statut", **fields}


def test_editors_set_up_change_and_delete_a_source(library: Library) -> None:
    client, json = library.client("editor"), "application/json"
    fields = new(kind="upload", location="", name="Przesłane", category="uchwały")
    made = client.post("/api/sources", fields, content_type=json)
    assert made.status_code == 201, made.content
    source = Source.objects.get(pk=made.json()["id"])
    assert (source.name, source.owner_id) == ("Przesłane", library.viewers["editor"].pk)
    document = library.ready["public"]
    type(document).objects.filter(pk=document.pk).update(source=source)
    changed = client.patch(f"/api/sources/{source.pk}", {"category": "statuty"}, content_type=json)
    assert (changed.status_code, changed.json()["category"]) == (200, "statuty")
    document.refresh_from_db()
    assert document.category == "statuty"  # by the service, as from the form
    assert client.delete(f"/api/sources/{source.pk}").status_code == 204
    document.refresh_from_db()
    assert document.source is None


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"location": ""}, "location"),
        ({"location": "http://10.0.0.5/"}, "location"),
        ({"kind": "folder", "location": "/etc"}, "location"),
        ({"kind": "upload", "location": "", "rhythm": "cron", "schedule": ""}, "schedule"),
        ({"kind": "upload", "location": "", "rhythm": "cron", "schedule": "co wtorek"}, "schedule"),
        ({"collection": "restricted"}, "collection"),
        ({"max_pages": 0}, "max_pages"),
    ],
)
def test_what_the_form_refuses_the_api_refuses(library: Library, fields: dict[str, object], field: str) -> None:
    answer = library.client("editor").post("/api/sources", new(**fields), content_type="application/json")
    assert answer.status_code == 400
    assert field in {error["field"] for error in answer.json()["errors"]}
    assert not Source.objects.exists()


def test_a_source_with_documents_stays_where_it_is(library: Library, source: Source) -> None:
    SourceAddress.objects.create(source=source, uri="https://a.pl/", document=library.ready["public"])
    client, address = library.client("editor"), f"/api/sources/{source.pk}"
    moved = client.patch(address, {"collection": "internal"}, content_type="application/json")
    assert moved.status_code == 400
    assert client.patch(address, {"name": "Biuletyn"}, content_type="application/json").json()["name"] == "Biuletyn"


@pytest.mark.parametrize("verb", ["post", "patch", "delete"])
def test_sources_are_changed_with_the_permission_for_it(library: Library, source: Source, verb: str) -> None:
    address = "/api/sources" if verb == "post" else f"/api/sources/{source.pk}"
    permission = {"post": "add_source", "patch": "change_source", "delete": "delete_source"}[verb]
    editor = library.viewers["editor"]
    editor.user_permissions.remove(*editor.user_permissions.filter(codename=permission))
    for viewer in ("editor", "member", "anonymous"):
        send = getattr(library.client(viewer), verb)
        assert send(address, new(), content_type="application/json").status_code == 403
    assert Source.objects.get().name == "BIP"


@pytest.mark.parametrize("verb", ["patch", "delete"])
def test_a_source_of_a_hidden_collection_can_be_neither_changed_nor_deleted(
    library: Library, source: Source, verb: str
) -> None:
    Source.objects.update(collection=library.collections["restricted"])
    send = getattr(library.client("editor"), verb)
    assert send(f"/api/sources/{source.pk}", {"name": "x"}, content_type="application/json").status_code == 404
    assert Source.objects.get().name == "BIP"


def test_a_place_is_a_source_once(library: Library) -> None:
    client, fields = library.client("editor"), new(kind="upload", location="")
    answers = [client.post("/api/sources", fields, content_type="application/json") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 400]
    assert Source.objects.count() == 1


def test_a_feed_says_where_its_entries_stand(library: Library) -> None:
    source = Source.objects.create(
        collection=library.collections["public"], kind="feed", name="BIP", location="https://a.pl/feed.json",
        options={"fields": {"title": "tytul"}},
    )  # fmt: skip
    options = {"fields": {"items": "data.items"}, "complete": True}
    address = f"/api/sources/{source.pk}"
    answer = library.client("editor").patch(address, {"options": options}, content_type="application/json")
    assert answer.status_code == 200, answer.content
    source.refresh_from_db()
    assert (source.options["fields"]["items"], source.options["complete"]) == ("data.items", True)
    assert source.options["fields"]["title"] == "tytul"
