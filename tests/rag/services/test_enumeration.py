"""Covered personal data cannot be asked for piece by piece: a right guess is answered like a wrong one."""

from copy import deepcopy
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from ingestion.models import Collection, Document
from ingestion.models.viewers import Viewer
from rag.services.search import search_passages
from rag.types import Filters, SearchResult
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept

GROUPS = ("1090", "1014", "0000", "0712", "1981", "2874")
TEXT = (
    "# Zwrot opłaty\n\nOpłatę zwraca się na rachunek 61 1090 1014 0000 0712 1981 2874 w ciągu 14 dni.\n\n"
    "PESEL 44051401359, telefon +48 601 234 567, adres jan.kowalewski@urzad.example, NIP 526-104-08-28.\n\n"
    "## Termin\n\nWniosek z 2023 roku rozpatruje się w ciągu 30 dni, zgodnie z art. 15 ustawy.\n"
)
GUESSES = [  # (what stands there, what does not)
    *((group, str(int(group) + 1).zfill(4)) for group in GROUPS),
    ("44051401359", "44051401360"),
    ("44051401358", "44051401357"),  # no checksum: neither is one
    ("601 234 567", "601 234 568"),
    ("48601", "48602"),
    ("5261040828", "5261040829"),
    ('"1090 1014"', '"1090 1015"'),
    ("-1090", "-1091"),
    ("61", "62"),
]


def write_document() -> Document:
    public = make_public()
    public.mask_personal_data = True
    public.save()
    return index_text(public, TEXT, name="44051401359.md", title="Zwrot, PESEL 44051401359", tags=["44051401359"])


@pytest.fixture(scope="module")
def kept_document(kept_rows: Kept) -> Document:
    return kept_rows.make(write_document)


@pytest.fixture
def document(kept_document: Document, db: None) -> Document:
    return deepcopy(kept_document)


@pytest.fixture
def elsewhere(internal: Collection, index: AddDocument) -> Document:
    """The same pieces where everybody may read them: their counts must not tell of the others."""
    internal.visibility = "public"
    internal.save()
    return index(internal, "Opłata: druk 1090, pole 1014, kod 44051401358 i rachunek nr 61.", name="druk.md")


@pytest.fixture
def clerk(employee: User) -> User:
    employee.user_permissions.add(Permission.objects.get(codename="see_personal_data"))
    return User.objects.get(pk=employee.pk)


def seen(result: SearchResult) -> list[tuple[Any, ...]]:
    """All that a caller could compare of the covered document."""
    return [
        (passage.chunk_id, passage.text, passage.score, passage.explanation, passage.relevance)
        for passage in result.passages
        if passage.collection == "publiczna"
    ] + [result.corrections, result.chunks_total]


@pytest.mark.parametrize("words", ["", "zwrot opłaty"])
@pytest.mark.parametrize(("right", "wrong"), GUESSES)
def test_a_right_guess_is_answered_like_a_wrong_one(
    right: str, wrong: str, words: str, document: Document, anonymous: Viewer
) -> None:
    found = [search_passages(query=f"{words} {guess}", viewer=anonymous) for guess in (right, wrong)]
    assert seen(found[0]) == seen(found[1])


def test_the_words_of_an_address_alone_find_nothing(document: Document, anonymous: Viewer) -> None:
    for guess in ('"jan kowalewski"', "kowalewski", "kowalewskiego"):
        assert not search_passages(query=guess, viewer=anonymous).passages


def test_four_digits_at_a_time_find_no_account(document: Document, elsewhere: Document, anonymous: Viewer) -> None:
    """The attack as it was made: 390 groups of four digits in a question, halved while one is answered."""
    asked = [f"{number:04}" for number in range(10_000) if number % 26 == 24]
    for group in GROUPS:
        result = search_passages(query=" ".join([*asked[:389], group]), viewer=anonymous)
        assert not [passage for passage in result.passages if passage.document_id == document.pk]


def test_what_is_not_covered_is_still_found_by_its_numbers(
    document: Document, elsewhere: Document, anonymous: Viewer, clerk: User
) -> None:
    assert [p.document_id for p in search_passages(query="1090", viewer=anonymous).passages] == [elsewhere.pk]
    assert document.pk in [p.document_id for p in search_passages(query="1090", viewer=clerk).passages]
    assert search_passages(query="art. 15", viewer=anonymous).passages[0].document_id == document.pk


def test_filters_find_no_covered_value(document: Document, anonymous: Viewer, clerk: User) -> None:
    narrowed = Filters(tags=("44051401359",))
    assert search_passages(query="opłata", viewer=clerk, filters=narrowed).passages
    assert not search_passages(query="opłata", viewer=anonymous, filters=narrowed).passages


@pytest.mark.parametrize(
    "parameters",
    [{"search": "4405140135"}, {"search": "PESEL 4"}, {"search": "44051401359.md"}, {"tag": "44051401359"}],
)
def test_the_list_of_documents_is_no_oracle(
    parameters: dict[str, str], document: Document, client: Client, clerk: User
) -> None:
    assert client.get("/api/documents", parameters).json()["count"] == 0
    assert client.get("/api/documents", {"search": "zwrot"}).json()["count"] == 1
    client.force_login(clerk)
    assert client.get("/api/documents", parameters).json()["count"] == 1


def test_the_digits_of_a_covered_title_cannot_be_asked_for_one_by_one(document: Document, client: Client) -> None:
    """The attack as it was made: each digit of a PESEL in at most ten requests."""
    counts = [client.get("/api/documents", {"search": f"PESEL {digit}"}).json()["count"] for digit in range(10)]
    assert counts == [0] * 10


@pytest.mark.parametrize("guess", ["44051401359", "1090", "61 1090 1014", "601 234 567"])
def test_neither_the_library_nor_the_document_page_finds_it(guess: str, document: Document, client: Client) -> None:
    page = client.get("/library/", {"q": guess}).content.decode()
    assert f"/documents/{document.pk}/" not in page
    found = client.get(f"/documents/{document.pk}/", {"find": guess}).content.decode()
    assert 'data-total="0"' in found
