"""Who sees what: nothing of a hidden collection leaves the server, not even that it exists."""

from tests.ingestion.api.library import VISIBLE, Library, every_viewer


@every_viewer
def test_collections_are_those_the_viewer_may_read(library: Library, viewer: str) -> None:
    answer = library.client(viewer).get("/api/collections").json()
    assert {collection["slug"] for collection in answer["results"]} == VISIBLE[viewer]
    assert answer["count"] == len(VISIBLE[viewer])


@every_viewer
def test_documents_and_their_count_are_those_the_viewer_may_read(library: Library, viewer: str) -> None:
    answer = library.client(viewer).get("/api/documents?status=ready").json()
    assert {document["collection"] for document in answer["results"]} == VISIBLE[viewer]
    assert answer["count"] == len(VISIBLE[viewer])


@every_viewer
def test_a_hidden_document_is_404_as_if_it_did_not_exist(library: Library, viewer: str) -> None:
    client = library.client(viewer)
    for slug, document in library.ready.items():
        expected = 200 if slug in VISIBLE[viewer] else 404
        assert client.get(f"/api/documents/{document.pk}").status_code == expected
        assert client.get(f"/api/documents/{document.pk}/chunks").status_code == expected


@every_viewer
def test_the_filter_by_a_hidden_collection_finds_nothing(library: Library, viewer: str) -> None:
    answer = library.client(viewer).get("/api/documents?collection=restricted&status=ready").json()
    assert answer["count"] == ("restricted" in VISIBLE[viewer])


def test_readers_see_only_what_is_ready(library: Library) -> None:
    client = library.client("member")
    statuses = {document["status"] for document in client.get("/api/documents").json()["results"]}
    assert statuses == {"ready"}
    assert client.get(f"/api/documents/{library.waiting['public'].pk}").status_code == 404
    assert {c["documents"] for c in client.get("/api/collections").json()["results"]} == {1}


def test_editors_see_every_status_in_their_collections_only(library: Library) -> None:
    client = library.client("editor")
    documents = client.get("/api/documents").json()
    assert {document["status"] for document in documents["results"]} == {"ready", "queued"}
    assert {document["collection"] for document in documents["results"]} == {"public", "internal"}
    assert documents["count"] == 4


@every_viewer
def test_jobs_are_for_editors(library: Library, viewer: str) -> None:
    job = library.waiting["public"].jobs.get()
    expected = 200 if viewer == "superuser" else 403
    assert library.client(viewer).get("/api/jobs").status_code == expected
    assert library.client(viewer).get(f"/api/jobs/{job.pk}").status_code == expected


def test_editors_see_the_jobs_of_their_collections_only(library: Library) -> None:
    client = library.client("editor")
    assert client.get("/api/jobs").json()["count"] == 4
    hidden = library.waiting["restricted"].jobs.get()
    assert client.get(f"/api/jobs/{hidden.pk}").status_code == 404


def test_readers_do_not_get_chunks_that_were_switched_off(library: Library) -> None:
    document = library.ready["public"]
    document.chunks.update(enabled=False)
    address = f"/api/documents/{document.pk}/chunks"
    assert library.client("member").get(address).json()["count"] == 0
    assert library.client("editor").get(address).json()["count"] == document.chunk_count


def test_an_inactive_user_reads_like_an_anonymous_one(library: Library) -> None:
    client = library.client("member")
    user = library.viewers["member"]
    user.is_active = False
    user.save()
    assert client.get("/api/documents").json()["count"] == 1
