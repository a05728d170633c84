"""The list of what was found in a document: figures keep their signs, the marks of Markdown stay out."""

import re
from html import unescape

import pytest
from django.test import Client

from tests.conftest import index_text, make_public
from tests.kept import Kept

pytestmark = pytest.mark.django_db

STATEMENT = """# Wynik finansowy

| pozycja | 2023 | 2024 |
|---|---:|---:|
| zysk (strata) netto | -2 015 172,38 | 17,50 |
| amortyzacja | - | −340,00 |
| korekta lat | - 12,00 | –75,10 |

- Zysk netto przeznacza się na kapitał.
  - Stratę netto pokrywa się z kapitału - w trzech ratach.
* Kapitał netto jest **niezmienny**.

---

Trasa Lipów-Zdrój a kapitał.
"""


def listed(client: Client, pk: int, query: str) -> list[str]:
    page = client.get(f"/documents/{pk}/", {"find": query}).content.decode()
    hits = re.findall(r'class="find-hit"[^>]*>(.*?)</a>', page, re.DOTALL)
    return [unescape(re.sub(r"<[^>]+>", "", hit)) for hit in hits]


@pytest.fixture(scope="module")
def kept_pk(kept_rows: Kept) -> int:
    with kept_rows.writing():
        return int(index_text(make_public(), STATEMENT, name="wynik.md").pk)


@pytest.fixture
def pk(kept_pk: int, db: None) -> int:
    return kept_pk


@pytest.mark.parametrize(
    ("query", "figure"),
    [
        ("strata", "-2 015 172,38"),
        ("2 015 172,38", "-2 015 172,38"),
        ("amortyzacja", "−340,00"),
        ("korekta", "- 12,00"),
        ("korekta", "–75,10"),
    ],
)
def test_a_figure_is_listed_with_its_minus(client: Client, pk: int, query: str, figure: str) -> None:
    assert figure in listed(client, pk, query)[0]


@pytest.mark.parametrize("query", ["strata", "netto", "kapitał", "niezmienny", "pozycja"])
def test_bullets_pipes_and_rules_are_not_listed(client: Client, pk: int, query: str) -> None:
    for line in listed(client, pk, query):
        assert not re.search(r"[|*#]|--|\. *- [A-Z]|^ *- ", line), line


def test_a_dash_between_words_stays(client: Client, pk: int) -> None:
    assert any("kapitału - w trzech" in line for line in listed(client, pk, "kapitał"))
    assert any("Lipów-Zdrój" in line for line in listed(client, pk, "kapitał"))
