"""A program does what its key is for, for its account, in its collections: never more."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import caches
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from ingestion.api.authentication import KeyAuthentication
from ingestion.api.permissions import scope_of
from ingestion.models import ApiKey
from ingestion.services.api_keys import cancel_key, create_key, replace_key
from tests.ingestion.api.library import VISIBLE, Library

ALL = [scope for scope in ApiKey.Scope.values if scope != ApiKey.Scope.ACT_AS]
"""What a key may be for that is its account's."""


def bearer(secret: str) -> Client:
    return Client(headers={"authorization": f"Bearer {secret}"})


def key_for(
    library: Library, viewer: str, *, only: str = "", scopes: list[str] = ALL, **fields: Any
) -> tuple[ApiKey, str]:
    owner = library.viewers[viewer]
    assert isinstance(owner, User)
    chosen = [library.collections[only]] if only else []
    return create_key(name="program", owner=owner, scopes=scopes, collections=chosen, **fields)


def slugs(client: Client) -> set[str]:
    return {collection["slug"] for collection in client.get("/api/collections").json()["results"]}


@pytest.mark.parametrize("viewer", [viewer for viewer in VISIBLE if viewer != "anonymous"])
def test_a_key_sees_what_its_account_sees(library: Library, viewer: str) -> None:
    assert slugs(bearer(key_for(library, viewer)[1])) == VISIBLE[viewer]


@pytest.mark.parametrize("viewer", [viewer for viewer in VISIBLE if viewer != "anonymous"])
@pytest.mark.parametrize("only", ["public", "restricted"])
def test_a_key_for_one_collection_sees_no_other(library: Library, viewer: str, only: str) -> None:
    client, expected = bearer(key_for(library, viewer, only=only)[1]), VISIBLE[viewer] & {only}
    assert slugs(client) == expected
    documents = client.get("/api/documents?status=ready").json()
    assert {document["collection"] for document in documents["results"]} == expected
    assert documents["count"] == len(expected)
    found = client.post("/api/search", {"query": "urlop wypoczynkowy"}, content_type="application/json").json()
    assert {passage["collection"] for passage in found["passages"]} == expected
    for slug, document in library.ready.items():
        assert client.get(f"/api/documents/{document.pk}").status_code == (200 if slug in expected else 404)


def test_a_key_whose_only_collection_was_deleted_opens_none(library: Library) -> None:
    key, secret = key_for(library, "superuser", only="internal")
    library.collections["internal"].documents.all().delete()
    library.collections["internal"].delete()
    assert slugs(bearer(secret)) == set()
    assert slugs(bearer(replace_key(key)[1])) == set()


def test_the_secret_is_stored_nowhere(library: Library) -> None:
    key, secret = key_for(library, "member")
    key.refresh_from_db()
    assert secret not in str(ApiKey.objects.filter(pk=key.pk).values().get())
    assert key.prefix == secret[:10]


def refused(client: Client) -> bool:
    answer = client.get("/api/collections")
    assert answer.status_code in {200, 401}
    if answer.status_code == 401:
        assert answer.json()["code"] == "invalid_key"
        assert answer["WWW-Authenticate"].startswith("Bearer")
    return answer.status_code == 401


def test_a_key_that_is_over_opens_nothing_not_even_what_is_public(library: Library) -> None:
    key, secret = key_for(library, "member")
    assert not refused(bearer(secret))
    cancel_key(key)
    assert refused(bearer(secret))
    expired = key_for(library, "member", expires=timezone.now() - timedelta(seconds=1))[1]
    assert refused(bearer(expired))
    assert refused(bearer("kt_nikt"))
    assert refused(bearer(""))


def test_a_key_ends_with_its_account(library: Library) -> None:
    key, secret = key_for(library, "member")
    User.objects.filter(pk=key.owner_id).update(is_active=False)
    assert refused(bearer(secret))


def test_a_replaced_key_goes_on_for_a_while_and_no_longer_than_before(library: Library) -> None:
    key, old = key_for(library, "member", only="restricted", scopes=["search"], rate="5/min")
    successor, new = replace_key(key)
    assert (successor.scopes, successor.rate, successor.bound) == (["search"], "5/min", True)
    assert slugs(bearer(old)) == slugs(bearer(new)) == {"restricted"}
    key.refresh_from_db()
    assert key.expires is not None
    assert not key.is_valid(timezone.now() + timedelta(days=8))
    soon = timezone.now() + timedelta(hours=1)
    ending = key_for(library, "member", expires=soon)[0]
    replace_key(ending)
    ending.refresh_from_db()
    assert ending.expires == soon


def test_a_key_does_only_what_it_is_for(library: Library) -> None:
    client = bearer(key_for(library, "superuser", scopes=["search"])[1])
    assert client.get("/api/search?query=urlop").status_code == 200
    answer = client.get("/api/documents")
    assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")
    assert "documents:read" in answer.json()["detail"]
    assert client.delete(f"/api/documents/{library.ready['public'].pk}").status_code == 403
    assert client.post("/api/ask", {"question": "Ile dni urlopu?"}, content_type="application/json").status_code == 403


def test_a_scope_gives_no_right_that_the_account_lacks(library: Library) -> None:
    client = bearer(key_for(library, "member")[1])
    assert client.delete(f"/api/documents/{library.ready['public'].pk}").status_code == 403
    assert client.get("/api/jobs").status_code == 403


def test_a_key_needs_no_cross_site_token_and_a_session_still_does(library: Library) -> None:
    _key, secret = key_for(library, "member")
    asked = {"query": "urlop"}
    program = Client(headers={"authorization": f"Bearer {secret}"}, enforce_csrf_checks=True)
    assert program.post("/api/search", asked, content_type="application/json").status_code == 200
    person = Client(enforce_csrf_checks=True)
    member = library.viewers["member"]
    assert isinstance(member, User)
    person.force_login(member)
    assert person.post("/api/search", asked, content_type="application/json").status_code == 403


def test_a_key_has_a_rate_of_its_own(library: Library) -> None:
    slow = bearer(key_for(library, "member", rate="2/hour")[1])
    other = bearer(key_for(library, "member")[1])
    found = []
    for _again in range(3):
        found.append(slow.get("/api/collections").status_code)
        caches["default"].clear()  # what another process has not: it is counted in the database
    assert found == [200, 200, 429]
    assert other.get("/api/collections").status_code == 200


def test_what_a_program_asked_is_its_own(library: Library) -> None:
    one, two = (bearer(key_for(library, "member")[1]) for _again in range(2))
    asked = {"question": "Ile dni urlopu przysługuje pracownikowi?"}
    conversation = one.post("/api/ask", asked, content_type="application/json").json()["conversation"]
    again = {**asked, "conversation": conversation}
    assert one.post("/api/ask", again, content_type="application/json").status_code == 200
    assert two.post("/api/ask", again, content_type="application/json").status_code == 404
    assert library.client("member").post("/api/ask", again, content_type="application/json").status_code == 404


def test_the_last_use_is_noted(library: Library) -> None:
    key, secret = key_for(library, "member")
    bearer(secret).get("/api/collections")
    key.refresh_from_db()
    assert key.last_used is not None


def views(patterns: list[Any], prefix: str = "") -> Any:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from views(pattern.url_patterns, prefix + str(pattern.pattern))
        elif isinstance(pattern, URLPattern) and prefix.startswith(("api/", "v1/", "openwebui/", "dify/")):
            yield prefix + str(pattern.pattern), pattern.callback.view_class


def test_every_method_of_the_api_says_what_a_key_must_be_for() -> None:
    known = {*ALL, ""}
    verbs = ("get", "post", "put", "patch", "delete")
    found = {
        f"{verb.upper()} {address}": scope_of(view, verb.upper())
        for address, view in views(get_resolver().url_patterns)
        for verb in verbs
        if hasattr(view, verb) and KeyAuthentication in view.authentication_classes and address != "api/schema/"
    }
    assert len(found) > 20
    assert {where: scope for where, scope in found.items() if scope not in known} == {}
