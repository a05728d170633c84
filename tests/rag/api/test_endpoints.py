"""Every operation of the API, none forgotten: who may what, and that nothing that is sent is too odd for it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from urllib.parse import quote

import pytest
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.test import Client

from ingestion.models import ApiKey
from ingestion.services.api_keys import create_key
from knowledgetree.http.query_filters import PAGING
from tests.ingestion.api.test_api_keys import bearer
from tests.kept import Kept
from tests.rag.api.endpoints import Endpoints, Operation, described_operations, make_endpoints, operations

EVERYONE, EDITORS, SUPERUSERS = "everyone", "editors", "superusers"
OPEN = {
    "GET /api/assistants", "GET /api/collections", "GET /api/collections/{}", "GET /api/collections/{}/communities",
    "GET /api/documents", "GET /api/documents/{}", "GET /api/documents/{}/chunks", "GET /api/presets",
    "GET /api/search", "POST /api/search", "POST /api/ask", "POST /api/feedback", "DELETE /api/feedback/{}",
    "POST /api/gap-reports",
}  # fmt: skip
EDITED = {
    "POST /api/assistants", "GET /api/assistants/{}", "PATCH /api/assistants/{}", "DELETE /api/assistants/{}",
    "POST /api/collections", "PATCH /api/collections/{}", "DELETE /api/collections/{}",
    "POST /api/documents", "PATCH /api/documents/{}", "DELETE /api/documents/{}",
    "POST /api/documents/{}/archive", "POST /api/documents/{}/reindex", "POST /api/documents/{}/restore",
    "GET /api/evaluation/measurements", "GET /api/evaluation/measurements/{}",
    "GET /api/evaluation/questions/{}", "PATCH /api/evaluation/questions/{}", "DELETE /api/evaluation/questions/{}",
    "GET /api/evaluation/runs", "GET /api/evaluation/runs/{}", "GET /api/evaluation/runs/{}/comparison",
    "GET /api/evaluation/sets", "POST /api/evaluation/sets", "GET /api/evaluation/sets/{}",
    "PATCH /api/evaluation/sets/{}", "DELETE /api/evaluation/sets/{}", "POST /api/evaluation/sets/{}/measure",
    "GET /api/evaluation/sets/{}/questions", "POST /api/evaluation/sets/{}/questions",
    "GET /api/glossary", "POST /api/glossary", "GET /api/glossary/{}", "PATCH /api/glossary/{}",
    "DELETE /api/glossary/{}", "GET /api/jobs", "GET /api/jobs/{}", "POST /api/jobs/{}/cancel",
    "POST /api/jobs/{}/retry", "GET /api/lexicon", "GET /api/lexicon/{}", "PATCH /api/lexicon/{}",
    "GET /api/sources", "POST /api/sources", "GET /api/sources/{}", "PATCH /api/sources/{}", "DELETE /api/sources/{}",
    "GET /api/sources/{}/reports", "POST /api/sources/{}/sync", "POST /api/sources/{}/pause",
    "POST /api/sources/{}/resume", "POST /api/sources/{}/check", "POST /api/sources/{}/gone",
    "GET /api/synonyms", "POST /api/synonyms", "GET /api/synonyms/{}", "PATCH /api/synonyms/{}",
    "DELETE /api/synonyms/{}",
}  # fmt: skip
CLOSED = {"GET /api/feedback"}
FOR_WHOM = dict.fromkeys(OPEN, EVERYONE) | dict.fromkeys(EDITED, EDITORS) | dict.fromkeys(CLOSED, SUPERUSERS)
"""Who may do what. A new operation has no place here yet: say for whom it is."""

ANY_KEYS = {"GET /api/collections", "GET /api/collections/{}", "GET /api/assistants", "GET /api/presets"}
SCOPES = {*ApiKey.Scope.values} - {ApiKey.Scope.ACT_AS}  # which says for whom, not what
OF_ALL = {"GET /api/lexicon/{}", "PATCH /api/lexicon/{}"}
"""What belongs to no collection."""

OWN = {"DELETE /api/feedback/{}"}
"""What only its reader sees, the member of these tests, and no superuser."""


@pytest.fixture(scope="module")
def endpoints(kept_rows: Kept) -> Endpoints:
    return kept_rows.make(make_endpoints)


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def statuses(client: Client, endpoints: Endpoints) -> dict[str, int]:
    """What each operation answers to a request that says nothing, from the same beginning."""
    found = {}
    for operation in operations():
        with undone():
            found[str(operation)] = send(client, endpoints, operation).status_code
        if operation.verb == "get":
            head = client.head(endpoints.address(operation)).status_code
            assert head == found[str(operation)], f"HEAD {operation.route}"
    return found


def send(client: Client, endpoints: Endpoints, operation: Operation) -> Any:
    address = endpoints.address(operation)
    if operation.verb == "get":
        return client.get(address)
    as_form = str(operation) == "POST /api/documents"
    return getattr(client, operation.verb)(address, {}, **{} if as_form else {"content_type": "application/json"})


def differing(found: dict[str, int], expected: Callable[[str, str], set[int]]) -> dict[str, int]:
    """The operations that answer something else; 0 stands for whatever is no refusal."""
    refusals = {401, 403, 404, 405, 429, 500}
    return {
        name: status
        for name, status in found.items()
        if (status if status in refusals else 0) not in expected(name, FOR_WHOM[name])
    }


def key(endpoints: Endpoints, *, scopes: list[str], only: str = "") -> Client:
    owner = endpoints.library.viewers["superuser"]
    assert isinstance(owner, User)
    chosen = [endpoints.library.collections[only]] if only else []
    return bearer(create_key(name="program", owner=owner, scopes=scopes, collections=chosen)[1])


def test_for_each_operation_it_is_said_for_whom_it_is() -> None:
    assert {str(operation) for operation in operations()} == FOR_WHOM.keys()
    assert len(FOR_WHOM) == len(OPEN) + len(EDITED) + len(CLOSED)


def test_strangers_do_what_is_for_everyone_with_what_is_public(endpoints: Endpoints, db: None) -> None:
    def expected(name: str, whom: str) -> set[int]:
        return {403} if whom != EVERYONE else {404} if "{}" in name else {0}

    assert differing(statuses(Client(), endpoints), expected) == {}


def test_a_key_without_a_scope_does_what_every_key_may(endpoints: Endpoints, db: None) -> None:
    found = statuses(key(endpoints, scopes=[]), endpoints)
    assert differing(found, lambda name, whom: {0} if name in ANY_KEYS else {403}) == {}


def test_a_key_for_all_but_one_thing_does_not_do_that(endpoints: Endpoints, db: None) -> None:
    described = described_operations()
    programs = {scope: key(endpoints, scopes=sorted(SCOPES - {scope})) for scope in SCOPES}
    for operation in operations():
        scope = described[operation].scope
        assert scope is not None, f"{operation} says nothing of keys"
        if str(operation) in ANY_KEYS:
            assert scope == ""
            continue
        answer = send(programs[scope], endpoints, operation)
        assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing"), str(operation)


def test_a_key_for_another_collection_finds_nothing(endpoints: Endpoints, db: None) -> None:
    def expected(name: str, whom: str) -> set[int]:
        if whom == SUPERUSERS or name in {"PATCH /api/lexicon/{}", "POST /api/collections"}:
            return {403}  # more than a key for chosen collections reaches
        return {404} if "{}" in name and name not in OF_ALL else {0}

    found = statuses(key(endpoints, scopes=sorted(SCOPES), only="public"), endpoints)
    assert differing(found, expected) == {}


def test_readers_do_what_is_for_everyone(endpoints: Endpoints, db: None) -> None:
    found = statuses(endpoints.library.client("member"), endpoints)
    assert differing(found, lambda name, whom: {0} if whom == EVERYONE else {403}) == {}


def test_editors_find_nothing_of_a_collection_that_is_not_theirs(endpoints: Endpoints, db: None) -> None:
    def expected(name: str, whom: str) -> set[int]:
        return {403} if whom == SUPERUSERS else {404} if "{}" in name and name not in OF_ALL else {0}

    assert differing(statuses(endpoints.library.client("editor"), endpoints), expected) == {}


def test_editors_do_all_but_what_is_the_superusers(endpoints: Endpoints, db: None) -> None:
    endpoints.library.viewers["editor"].groups.add(Group.objects.get(name="Kadry"))  # type: ignore[union-attr]

    def expected(name: str, whom: str) -> set[int]:
        return {403} if whom == SUPERUSERS else {0, 404} if name in OWN else {0}

    assert differing(statuses(endpoints.library.client("editor"), endpoints), expected) == {}


def test_superusers_and_their_programs_do_everything(endpoints: Endpoints, db: None) -> None:
    for client in (endpoints.library.client("superuser"), key(endpoints, scopes=sorted(SCOPES))):
        found = statuses(client, endpoints)
        assert differing(found, lambda name, whom: {404} if name in OWN else {0}) == {}


ODD = [None, True, 10**40, "", "x" * 3000, "\x00", "nan", [None], ["\ud800", {}], {"a": [{"b": "\x00"}]}]
ODDEST = [10**40, "x" * 3000, "\x00", {"a": "\x00"}]
"""What a column may refuse that its field let in: with the others beside it, it would not get there."""

ODD_BODIES = ["", "{", "null", "[1]", '{"a":' * 60 + "1" + "}" * 60, "\xff"]
ODD_WORDS = ["", "%00", "%ff", "9" * 40]


def refused(answer: Any, asked: str) -> bool:
    """Whether it was done, or refused with a reason; anything else fails the test."""
    if answer.status_code < 400:
        return False
    assert answer.status_code < 500, asked
    assert answer["Content-Type"] == "application/problem+json", asked
    assert answer.json()["code"], asked
    assert answer.json()["detail"], asked
    return True


def odd_requests(client: Client, endpoints: Endpoints) -> Iterator[Callable[[], Any]]:
    """All fields at once with each odd value, of what is changed each field alone, and bodies that are none."""
    known = described_operations()
    for operation in operations():
        address, verb, described = endpoints.address(operation), operation.verb, known[operation]
        if verb == "get":
            names = [name for name in described.parameters if name not in PAGING or operation.route == "/api/jobs"]
            yield from (partial(client.get, f"{address}?{name}={word}") for name in names for word in ODD_WORDS)
        elif described.fields:
            bodies: list[Any] = [dict.fromkeys(described.fields, odd) for odd in ODD]
            bodies += [{field: odd} for field in described.fields for odd in ODDEST if verb == "patch"]
            bodies += [body.encode("latin-1") for body in ODD_BODIES if verb == "post"]
            yield from (partial(to, client, verb, address, body) for body in bodies)


def to(client: Client, verb: str, address: str, body: Any) -> Any:
    return getattr(client, verb)(address, body, content_type="application/json")


@pytest.mark.slow
def test_nothing_that_is_sent_is_too_odd(endpoints: Endpoints, db: None) -> None:
    client = endpoints.library.client("superuser")
    client.raise_request_exception = False
    answers = []
    for request in odd_requests(client, endpoints):
        with undone():
            answers.append(refused(request(), str(request)))
    assert sum(answers) > 300


@pytest.mark.parametrize("odd", ["0", "9" * 30, "-1", "x" * 300, "00000000-0000-0000-0000-000000000000", "a%00b", "ż"])
def test_no_name_of_a_row_is_too_odd(endpoints: Endpoints, odd: str, db: None) -> None:
    client = endpoints.library.client("superuser")
    client.raise_request_exception = False
    for operation in operations():
        if operation.of_a_row:
            address = operation.route.replace("{}", quote(odd, safe="%"))
            assert to(client, operation.verb, address, {}).status_code == 404, f"{operation} {odd}"
