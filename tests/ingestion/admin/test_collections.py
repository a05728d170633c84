"""Setting up a collection, and who sees it."""

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.urls import reverse

from ingestion.admin.access.readers import in_words, verdict
from ingestion.models import Collection
from ingestion.selectors import readers_of, visible_collections
from ingestion.services.collections import free_identifier
from tests.ingestion.api.library import Library

ADD = "admin:ingestion_collection_add"
READERS = "admin:ingestion_collection_readers"


def create(client: Client, name: str = "Kadry i płace", **fields: object) -> Collection | None:
    client.post(reverse(ADD), {"name": name, "visibility": "internal", **fields})
    return Collection.objects.filter(name=name).first()


def test_a_name_is_enough(library: Library) -> None:
    response = library.client("superuser").post(reverse(ADD), {"name": "Żłóbek: opłaty", "visibility": "internal"})
    made = Collection.objects.get(name="Żłóbek: opłaty")
    assert made.slug == "zlobek-oplaty"
    assert made.lemma_weight == 1.0  # what the short form leaves out keeps its default
    assert response.url == reverse("admin:ingestion_collection_change", args=[made.pk])


def test_a_new_collection_offers_the_next_step(library: Library) -> None:
    client = library.client("superuser")
    made = create(client)
    assert made
    text = client.get(reverse("admin:ingestion_collection_change", args=[made.pk])).content.decode()
    assert f"{reverse('admin:ingestion_document_upload')}?collection={made.slug}" in text
    form = client.get(reverse("admin:ingestion_document_upload"), {"collection": made.slug}).context["form"]
    assert form["collection"].value() in (made, made.pk)


@pytest.mark.parametrize(
    ("name", "slug"),
    [("Dział Księgowości", "dzial-ksiegowosci"), ("  !!! ", "kolekcja"), ("Łódź – ŚCISŁE", "lodz-scisle")],
)
@pytest.mark.django_db
def test_an_identifier_is_made_of_the_name(name: str, slug: str) -> None:
    assert free_identifier(name) == slug


@pytest.mark.django_db
def test_a_taken_identifier_gets_a_number() -> None:
    for expected in ("kadry", "kadry-2", "kadry-3"):
        assert free_identifier("Kadry") == expected
        Collection.objects.create(name="Kadry", slug=expected)
    long = free_identifier("a" * 200)
    Collection.objects.create(name="a", slug=long)
    assert len(long) == 80
    assert len(free_identifier("a" * 200)) <= 80


def test_an_editor_cannot_shut_himself_out(library: Library) -> None:
    editor = library.viewers["editor"]
    assert create(library.client("editor"), visibility="restricted") is None
    editor.groups.add(Group.objects.create(name="Redakcja"))
    assert create(library.client("editor"), visibility="restricted") is None
    own = Group.objects.get(name="Redakcja")
    made = create(library.client("editor"), visibility="restricted", groups=[own.pk])
    assert made in visible_collections(editor)


def test_the_list_of_readers_agrees_with_what_each_may_read(library: Library) -> None:
    User.objects.create_user("dawny", is_active=False).groups.add(Group.objects.get(name="Kadry"))
    for collection in library.collections.values():
        listed = set(readers_of(collection))
        for user in User.objects.all():
            assert (user in listed) == verdict(user, collection).sees, (user, collection)
            if user.is_active:
                assert (user in listed) == (collection in visible_collections(user))


def test_readers_are_listed_with_the_reason(library: Library) -> None:
    hidden = library.collections["restricted"]
    rows = library.client("superuser").get(reverse(READERS, args=[hidden.pk])).context["people"]
    assert {row.user.username for row in rows} == {"member", "superuser"}
    assert "Kadry" in next(row.reason for row in rows if row.user.username == "member")


def test_a_person_can_be_checked(library: Library) -> None:
    page = reverse(READERS, args=[library.collections["restricted"].pk])
    rows = library.client("superuser").get(page, {"q": "signed"}).context["people"]
    assert [(row.user.username, row.sees) for row in rows] == [("signed_in", False)]
    assert "Kadry" in rows[0].reason


def test_people_are_named_and_counted_only_to_those_who_may_see_users(library: Library) -> None:
    editor, collection = library.viewers["editor"], library.collections["internal"]
    response = library.client("editor").get(reverse(READERS, args=[collection.pk]), {"q": "member"})
    assert "people" not in response.context
    assert "signed_in" not in response.content.decode()
    assert not any(letter.isdigit() for letter in in_words(collection, viewer=editor))
    editor.user_permissions.add(Permission.objects.get(codename="view_user"))
    assert "people" in library.client("editor").get(reverse(READERS, args=[collection.pk])).context


def test_the_readers_of_a_hidden_collection_are_not_told(library: Library) -> None:
    page = reverse(READERS, args=[library.collections["restricted"].pk])
    assert library.client("editor").get(page).status_code == 404
    assert library.client("anonymous").get(page).status_code == 302


def test_a_restricted_collection_without_groups_warns(library: Library) -> None:
    hidden = library.collections["restricted"]
    hidden.groups.clear()
    client = library.client("superuser")
    assert client.get(reverse(READERS, args=[hidden.pk])).context["forgotten"]
    page = client.get(reverse("admin:ingestion_collection_change", args=[hidden.pk]))
    assert page.context["panel"]["forgotten"]


def test_a_document_says_who_sees_it(library: Library) -> None:
    document = library.ready["public"]
    text = library.client("editor").get(reverse("admin:ingestion_document_change", args=[document.pk])).content.decode()
    assert reverse("admin:ingestion_document_readers", args=[document.pk]) in text
    assert in_words(document.collection, viewer=library.viewers["editor"]) in text
