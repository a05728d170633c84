"""Editors' work over the API: what is set stays, two who change the same thing learn of each other, rules are the
admin's."""

from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from ingestion.models import Collection, Document, GlossaryEntry, LexiconPack, Source, SynonymGroup
from ingestion.selectors import visible_collections
from ingestion.services.api_keys import create_key
from ingestion.services.editing import edit_document
from tests.ingestion.api.library import Library
from tests.ingestion.api.test_api_keys import bearer, key_for


def send(client: Client, verb: str, address: str, body: Any = None, **headers: str) -> Any:
    return getattr(client, verb)(address, body or {}, content_type="application/json", headers=headers)


@pytest.fixture
def document(library: Library) -> Document:
    return library.ready["public"]


def test_what_a_program_sets_of_a_document_stays_the_editors(library: Library, document: Document) -> None:
    client = bearer(key_for(library, "editor", scopes=["documents:write"])[1])
    address = f"/api/documents/{document.pk}"
    changes = {"title": "Urlopy 2026", "tags": ["urlop"], "valid_from": "2026-01-01", "metadata": {"sygnatura": "K-7"}}
    changed = send(client, "patch", address, changes)
    assert changed.status_code == 200, changed.content
    assert {name: changed.json()[name] for name in changes} == changes
    expected = ["metadata.sygnatura", "tags", "title", "valid_from", "valid_to"]
    assert changed.json()["edited"] == expected
    assert document.jobs.filter(status="queued").exists()  # the title is searched
    back = send(client, "patch", address, {"metadata": {"sygnatura": None}, "take_back": ["tags", "title"]})
    assert (back.json()["tags"], back.json()["metadata"]) == (["kadry"], {})
    assert "tags" not in back.json()["edited"]
    crossed = send(client, "patch", address, {"valid_to": "2020-01-01"})
    assert (crossed.status_code, crossed.json()["code"]) == (422, "invalid_validity")


def test_what_is_sent_back_as_it_was_read_changes_nothing(library: Library, document: Document) -> None:
    secret = "PESEL 44051401359"
    edit_document(document=document, changes={"title": secret, "metadata": {"strona": secret, "nr": 1}})
    Collection.objects.update(mask_personal_data=True)
    library.viewers["editor"].user_permissions.remove(
        *library.viewers["editor"].user_permissions.filter(codename="see_personal_data")
    )
    client, address = library.client("editor"), f"/api/documents/{document.pk}"
    read = client.get(address).json()
    assert secret not in str(read)
    sent = send(client, "patch", address, {"title": read["title"], "metadata": read["metadata"] | {"nr": 2}})
    assert sent.status_code == 200
    document.refresh_from_db()
    assert (document.title, document.metadata) == (secret, {"strona": secret, "nr": 2})


def test_of_two_who_change_the_same_the_second_learns_of_the_first(library: Library, document: Document) -> None:
    client, address = library.client("editor"), f"/api/documents/{document.pk}"
    seen = client.get(address)["ETag"]
    first = send(client, "patch", address, {"category": "regulaminy"}, **{"If-Match": seen})
    second = send(client, "patch", address, {"category": "statuty"}, **{"If-Match": seen})
    assert (first.status_code, second.status_code, second.json()["code"]) == (200, 412, "outdated")
    assert send(client, "delete", address, **{"If-Match": seen}).status_code == 412
    again = send(client, "patch", address, {"category": "statuty"}, **{"If-Match": first["ETag"]})
    assert again.json()["category"] == "statuty"
    assert send(client, "delete", address, **{"If-Match": again["ETag"]}).status_code == 204


def test_a_field_that_there_is_not_is_refused(library: Library, document: Document) -> None:
    answer = send(library.client("editor"), "patch", f"/api/documents/{document.pk}", {"titel": "Urlopy"})
    assert answer.status_code == 400
    assert [(error["field"], error["code"]) for error in answer.json()["errors"]] == [("titel", "unknown_field")]
    assert "title" in answer.json()["errors"][0]["detail"]


def test_a_document_leaves_search_and_comes_back(library: Library, document: Document) -> None:
    client, address = library.client("editor"), f"/api/documents/{document.pk}"
    for _again in range(2):
        archived = client.post(f"{address}/archive")
        assert (archived.status_code, archived.json()["document"]["status"]) == (200, "archived")
    assert client.post(f"{address}/reindex").json()["job"] is None
    restored = client.post(f"{address}/restore")
    assert (restored.status_code, restored.json()["job"]["kind"]) == (202, "index_document")
    assert client.post(f"{address}/reindex").status_code == 202


def test_a_collection_is_set_up_changed_and_deleted(library: Library) -> None:
    client = bearer(key_for(library, "superuser", scopes=["admin"])[1])
    made = send(client, "post", "/api/collections", {"name": "Zamówienia publiczne", "visibility": "internal"})
    assert made.status_code == 201, made.content
    assert made.json()["slug"] == "zamowienia-publiczne"
    address = "/api/collections/zamowienia-publiczne"
    changes = {"visibility": "restricted", "groups": ["Kadry"], "preset": "offline", "mask_personal_data": True}
    changed = send(client, "patch", address, changes)
    assert changed.status_code == 200, changed.content
    assert {name: changed.json()[name] for name in changes} == changes
    collection = Collection.objects.get(slug="zamowienia-publiczne")
    assert collection in visible_collections(library.viewers["member"])
    Source.objects.create(collection=collection, kind="upload", name="Przesłane")
    assert send(client, "delete", address).status_code == 204
    assert not Collection.objects.filter(pk=collection.pk).exists()


def test_a_collection_with_documents_is_not_deleted(library: Library) -> None:
    answer = send(library.client("superuser"), "delete", "/api/collections/public")
    assert (answer.status_code, answer.json()["code"]) == (409, "collection_filled")
    assert answer.json()["remedy"]
    assert Collection.objects.filter(slug="public").exists()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"preset": "nikt"}, "preset"),
        ({"slug": "inna"}, "slug"),
        ({"groups": ["Nikt"]}, "groups"),
        ({"lemma_weight": "nan"}, "lemma_weight"),
        ({"visibility": "restricted"}, "visibility"),
    ],
)
def test_what_a_collection_cannot_be_is_named(library: Library, changes: dict[str, Any], field: str) -> None:
    answer = send(library.client("editor"), "patch", "/api/collections/public", changes)
    assert answer.status_code == 400, answer.content
    assert [error["field"].split(".")[0] for error in answer.json()["errors"]] == [field]


def test_who_edits_a_restricted_collection_stays_among_its_readers(library: Library) -> None:
    editor = library.viewers["editor"]
    editor.groups.add(Group.objects.create(name="Redakcja"))
    body = {"visibility": "restricted", "groups": ["Kadry"]}
    refused = send(library.client("editor"), "patch", "/api/collections/public", body)
    assert [error["field"] for error in refused.json()["errors"]] == ["groups"]
    body["groups"].append("Redakcja")
    assert send(library.client("editor"), "patch", "/api/collections/public", body).status_code == 200


def test_readers_do_not_learn_which_groups_read_a_collection(library: Library) -> None:
    library.collections["public"].groups.add(Group.objects.get(name="Kadry"))
    assert "groups" not in library.client("member").get("/api/collections/public").json()
    assert library.client("editor").get("/api/collections/public").json()["groups"] == ["Kadry"]


def test_synonyms_are_kept_in_their_order(library: Library) -> None:
    client = library.client("editor")
    body = {"name": "urlop", "direction": "one_way", "words": ["urlop", "wakacje", "wolne"]}
    made = send(client, "post", "/api/synonyms", body)
    assert made.status_code == 201, made.content
    group = SynonymGroup.objects.get(pk=made.json()["id"])
    assert list(group.synonyms.values_list("text", "phrase", "leads")) == [
        ("urlop", "urlop", True), ("wakacje", "wakacje", False), ("wolne", "wolny", False),
    ]  # fmt: skip
    kept = group.synonyms.get(text="wakacje").pk
    address = f"/api/synonyms/{group.pk}"
    changed = send(client, "patch", address, {"words": ["wakacje", "urlop"], "collection": "internal"})
    assert changed.json()["words"] == ["wakacje", "urlop"]
    assert group.synonyms.get(leads=True).pk == kept
    found = client.get("/api/synonyms?source=synonym&collection=internal&search=WAKA").json()["results"]
    assert [one["id"] for one in found] == [group.pk]
    assert send(client, "delete", address).status_code == 204


@pytest.mark.parametrize("words", [["urlop"], ["urlop", "urlop"], ["urlop", "nie ma"], ["urlop", "i"], "urlop"])
def test_words_that_find_nothing_are_refused(library: Library, words: Any) -> None:
    answer = send(library.client("editor"), "post", "/api/synonyms", {"name": "urlop", "words": words})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"].split(".")[0] == "words"
    assert not SynonymGroup.objects.filter(name="urlop").exists()


def test_a_group_of_the_lexicon_is_switched_off_and_never_rewritten(library: Library) -> None:
    pack = LexiconPack.objects.create(name="proba", title="Próba")
    group = SynonymGroup.objects.create(name="dowód", source="lexicon", pack=pack, key="k")
    client, address = library.client("editor"), f"/api/synonyms/{group.pk}"
    assert send(client, "patch", address, {"weight": 0.9}).json()["code"] == "shipped"
    assert send(client, "delete", address).status_code == 409
    assert send(client, "patch", address, {"enabled": False}).json()["enabled"] is False
    assert client.get("/api/lexicon/proba").json()["switched_off"] == 1
    assert send(client, "patch", "/api/lexicon/proba", {"enabled": False}).json()["enabled"] is False


def test_the_glossary_has_each_term_once_a_collection(library: Library) -> None:
    client = library.client("editor")
    body = {"term": "EZD", "aliases": ["elektroniczny obieg"], "definition": "System."}
    made = send(client, "post", "/api/glossary", body)
    assert made.status_code == 201, made.content
    assert GlossaryEntry.objects.get().phrases[1] == "elektroniczny obieg"
    again = send(client, "post", "/api/glossary", {"term": "EZD"})
    assert [(error["field"], error["code"]) for error in again.json()["errors"]] == [("term", "unique")]
    assert send(client, "post", "/api/glossary", {"term": "EZD", "collection": "public"}).status_code == 201
    address = f"/api/glossary/{made.json()['id']}"
    assert send(client, "patch", address, {"definition": "Obieg pism."}).json()["aliases"] == ["elektroniczny obieg"]
    assert [one["term"] for one in client.get("/api/glossary?search=obieg").json()["results"]] == ["EZD"]


def test_words_of_a_hidden_collection_are_not_there(library: Library) -> None:
    hidden = library.collections["restricted"]
    group = SynonymGroup.objects.create(name="tajne", collection=hidden)
    entry = GlossaryEntry.objects.create(term="tajne", collection=hidden, phrases=["tajny"])
    client = library.client("editor")
    for address in (f"/api/synonyms/{group.pk}", f"/api/glossary/{entry.pk}"):
        assert client.get(address).status_code == 404
        assert send(client, "delete", address).status_code == 404
    for address in ("/api/synonyms?source=synonym", "/api/glossary"):
        assert client.get(address).json()["count"] == 0
    moved = send(client, "post", "/api/glossary", {"term": "jawne", "collection": "restricted"})
    assert moved.json()["errors"][0]["field"] == "collection"


def test_a_key_for_chosen_collections_leaves_alone_what_holds_in_all(library: Library) -> None:
    group = SynonymGroup.objects.create(name="dla wszystkich")
    entry = GlossaryEntry.objects.create(term="EZD", phrases=["ezd"])
    LexiconPack.objects.create(name="proba", title="Próba")
    owner = library.viewers["superuser"]
    secret = create_key(name="p", owner=owner, scopes=["admin"], collections=[library.collections["public"]])[1]
    client = bearer(secret)
    refused = send(client, "post", "/api/collections", {"name": "Nowa"})
    assert (refused.status_code, refused.json()["code"]) == (403, "permission_denied")
    assert "klucz API" in refused.json()["detail"]
    for address in (f"/api/synonyms/{group.pk}", f"/api/glossary/{entry.pk}", "/api/lexicon/proba"):
        assert send(client, "patch", address, {"enabled": False}).status_code in {400, 403}, address
    assert send(client, "patch", f"/api/synonyms/{group.pk}", {"enabled": False}).status_code == 403
    assert send(client, "patch", f"/api/synonyms/{group.pk}", {"collection": "public"}).status_code == 403
    assert send(client, "delete", f"/api/glossary/{entry.pk}").status_code == 403
    assert send(client, "post", "/api/glossary", {"term": "RODO"}).status_code == 403
    assert send(client, "post", "/api/glossary", {"term": "RODO", "collection": "public"}).status_code == 201
