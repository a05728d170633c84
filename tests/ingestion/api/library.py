"""Three collections, one for each visibility, and the people who look at them."""

from dataclasses import dataclass

import pytest
from django.contrib.auth.models import AnonymousUser, Group, Permission, User
from django.test import Client

from ingestion.models import Collection, Document
from ingestion.models.viewers import Viewer
from ingestion.services.documents import add_document
from tests.conftest import index_text

VISIBLE = {
    "anonymous": {"public"},
    "signed_in": {"public", "internal"},
    "member": {"public", "internal", "restricted"},
    "superuser": {"public", "internal", "restricted"},
}
"""Who reads which collection; every test of the matrix runs for each of these viewers."""

every_viewer = pytest.mark.parametrize("viewer", VISIBLE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """Each collection has one document that is ready and one that waits."""

    collections: dict[str, Collection]
    ready: dict[str, Document]
    waiting: dict[str, Document]
    viewers: dict[str, Viewer]

    def client(self, viewer: str) -> Client:
        client = Client()
        if isinstance(user := self.viewers[viewer], User):
            client.force_login(user)
        return client


def make_library() -> Library:
    members = Group.objects.create(name="Kadry")
    collections = {
        slug: Collection.objects.create(name=slug.title(), slug=slug, visibility=slug)
        for slug in ("public", "internal", "restricted")
    }
    collections["restricted"].groups.add(members)
    return Library(
        collections=collections,
        ready={slug: ready_document(collection) for slug, collection in collections.items()},
        waiting={
            slug: add_document(collection=collection, name="czeka.txt", content=b"Urlop macierzynski.")
            for slug, collection in collections.items()
        },
        viewers=make_viewers(members),
    )


def ready_document(collection: Collection, text: str = "", name: str = "urlopy.md") -> Document:
    text = text or f"# Urlopy\n\nPracownikowi przysługuje urlop wypoczynkowy w wymiarze 20 dni ({collection.slug}).\n"
    document = index_text(collection, text, name=name, tags=["kadry"])
    assert document.status == Document.Status.READY, document.error_message
    return document


def make_viewers(members: Group) -> dict[str, Viewer]:
    viewers: dict[str, Viewer] = {
        "anonymous": AnonymousUser(),
        "signed_in": User.objects.create_user("signed_in"),
        "member": User.objects.create_user("member"),
        "superuser": User.objects.create_superuser("superuser"),
        "editor": User.objects.create_user("editor", is_staff=True),
    }
    viewers["member"].groups.add(members)
    viewers["editor"].user_permissions.set(Permission.objects.filter(content_type__app_label="ingestion"))
    return viewers
