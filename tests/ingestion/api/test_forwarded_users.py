"""A program that proves who asks has the rights of that user in the collections of its key: neither more nor less."""

import time
from typing import Any

import jwt
import pytest
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingestion.services.api_keys import cancel_key, create_key
from tests.ingestion.api.library import VISIBLE, Library

SECRET = "tajne" * 16
COLLECTIONS = ["public", "internal", "restricted"]
PEOPLE = [viewer for viewer in VISIBLE if viewer != "anonymous"]
SCOPES = ["search", "ask", "act_as", "documents:read", "documents:write"]


@pytest.fixture(autouse=True)
def secret(settings: Any) -> None:
    settings.OPENWEBUI_JWT_SECRET = SECRET


@pytest.fixture(autouse=True)
def addresses(library: Library) -> None:
    for viewer in PEOPLE:
        User.objects.filter(username=viewer).update(email=f"{viewer}@urzad.example")


def signed(viewer: str = "member", *, secret: str = SECRET, algorithm: str = "HS256", **claims: Any) -> str:
    """The token that Open WebUI 0.12 makes (`open_webui.utils.headers`), with other claims; None: without that one."""
    now = int(time.time())
    usual = {
        "sub": "6d5f", "email": f"{viewer}@urzad.example", "name": viewer, "role": "user", "iss": "open-webui",
        "iat": now, "exp": now + 300,
    }  # fmt: skip
    given = {name: value for name, value in {**usual, **claims}.items() if value is not None}
    return jwt.encode(given, secret, algorithm=algorithm)


def key_of(library: Library, owner: str, *, only: list[str] | None = None, scopes: list[str] = SCOPES) -> str:
    chosen = [library.collections[slug] for slug in only or []]
    account = library.viewers[owner]
    assert isinstance(account, User)
    return create_key(name="open webui", owner=account, scopes=scopes, collections=chosen)[1]


def program(key: str, token: str | None) -> Client:
    return Client(headers={"authorization": f"Bearer {key}", **({"x-openwebui-user-jwt": token} if token else {})})


def slugs(client: Client) -> set[str]:
    return {collection["slug"] for collection in client.get("/api/collections").json()["results"]}


def refusal(client: Client, address: str = "/api/collections") -> tuple[int, str]:
    answer = client.get(address)
    return answer.status_code, answer.json().get("code") or answer.json()["error"]["code"]


@pytest.mark.slow
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    owner=st.sampled_from(PEOPLE),
    asking=st.sampled_from(PEOPLE),
    only=st.one_of(st.none(), st.lists(st.sampled_from(COLLECTIONS), min_size=1, unique=True)),
)
def test_what_is_seen_is_what_user_and_key_both_open(
    library: Library, owner: str, asking: str, only: list[str] | None
) -> None:
    client = program(key_of(library, owner, only=only), signed(asking))
    both = VISIBLE[asking] & set(only or COLLECTIONS)
    assert slugs(client) == both
    found = client.post("/api/search", {"query": "urlop wypoczynkowy"}, content_type="application/json").json()
    assert {passage["collection"] for passage in found["passages"]} == both
    for slug, document in library.ready.items():
        assert client.get(f"/api/documents/{document.pk}").status_code == (200 if slug in both else 404)


def test_an_answer_rests_on_what_the_user_may_read(library: Library) -> None:
    key = key_of(library, "superuser")
    cited = {}
    for asking in ("signed_in", "member"):
        answer = program(key, signed(asking)).post(
            "/v1/chat/completions",
            {"model": "knowledgetree", "messages": [{"role": "user", "content": "Ile dni urlopu? restricted"}]},
            content_type="application/json",
        )
        cited[asking] = answer.json()["choices"][0]["message"]["annotations"]
    restricted = f"/documents/{library.ready['restricted'].pk}/"
    assert restricted not in str(cited["signed_in"])
    assert restricted in str(cited["member"])


def test_a_scope_gives_no_right_that_the_user_lacks(library: Library) -> None:
    client = program(key_of(library, "superuser"), signed("member"))
    assert client.delete(f"/api/documents/{library.ready['public'].pk}").status_code == 403


def test_a_key_that_acts_for_others_never_acts_for_its_account(library: Library) -> None:
    key = key_of(library, "superuser")
    assert refusal(program(key, None)) == (401, "invalid_user_token")
    unsigned = Client(headers={"authorization": f"Bearer {key}", "x-openwebui-user-email": "superuser@urzad.example"})
    assert refusal(unsigned) == (401, "invalid_user_token")


def test_a_key_without_the_scope_names_no_user(library: Library) -> None:
    client = program(key_of(library, "superuser", scopes=["search", "ask"]), signed("member"))
    assert refusal(client) == (403, "scope_missing")
    assert "act_as" in client.get("/v1/models").json()["error"]["message"]


def test_a_token_is_nothing_without_a_key(library: Library) -> None:
    assert slugs(Client(headers={"x-openwebui-user-jwt": signed("superuser")})) == VISIBLE["anonymous"]
    key, secret = create_key(
        name="dawny", owner=User.objects.get(username="superuser"), scopes=SCOPES, collections=(), rate=""
    )
    cancel_key(key)
    assert refusal(program(secret, signed("superuser"))) == (401, "invalid_key")


@pytest.mark.parametrize(
    "token",
    [
        pytest.param({"exp": int(time.time()) - 60}, id="expired"),
        pytest.param({"exp": None}, id="without an end"),
        pytest.param({"iat": int(time.time()) + 86_400}, id="of the future"),
        pytest.param({"iss": "inny"}, id="of another issuer"),
        pytest.param({"iss": None}, id="without an issuer"),
        pytest.param({"secret": "inne" * 20}, id="signed with another secret"),
        pytest.param({"algorithm": "HS512"}, id="signed in another way"),
        pytest.param({"email": None}, id="without an address"),
        pytest.param({"email": " "}, id="with an empty address"),
        pytest.param({"email": ["superuser@urzad.example"]}, id="with a list of addresses"),
        pytest.param({"sub": None}, id="without a subject"),
    ],
)
def test_a_token_that_proves_nothing_is_refused(library: Library, token: dict[str, Any]) -> None:
    client = program(key_of(library, "superuser"), signed("superuser", **token))
    assert refusal(client) == (401, "invalid_user_token")
    error = client.get("/v1/models").json()["error"]
    assert (error["type"], error["code"]) == ("authentication_error", "invalid_user_token")


def test_an_unsigned_token_is_refused(library: Library) -> None:
    unsigned = jwt.encode(jwt.decode(signed("superuser"), options={"verify_signature": False}), None, algorithm="none")
    key = key_of(library, "superuser")
    for token in (unsigned, signed("superuser").rpartition(".")[0] + ".", "nonsens"):
        assert refusal(program(key, token)) == (401, "invalid_user_token")


def test_without_a_secret_no_token_is_believed(library: Library, settings: Any) -> None:
    settings.OPENWEBUI_JWT_SECRET = ""
    client = program(key_of(library, "superuser"), signed("superuser"))
    assert refusal(client) == (401, "invalid_user_token")
    assert "OPENWEBUI_JWT_SECRET" in client.get("/api/collections").json()["detail"]


def test_who_is_not_known_here_is_told_so(library: Library) -> None:
    key = key_of(library, "superuser")
    assert refusal(program(key, signed("nikt"))) == (403, "unknown_user")
    assert "nikt@urzad.example" in program(key, signed("nikt")).get("/v1/models").json()["error"]["message"]
    User.objects.filter(username="member").update(is_active=False)
    assert refusal(program(key, signed("member"))) == (403, "unknown_user")


def test_an_address_means_one_person_however_it_is_written(library: Library) -> None:
    key = key_of(library, "signed_in")
    client = program(key, signed(email="Member@URZAD.example"))
    assert slugs(client) == VISIBLE["member"]
    User.objects.create_user("druga", email="MEMBER@urzad.example")
    assert refusal(client) == (403, "unknown_user")
