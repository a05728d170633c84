"""What a model is given to read of the sample, whole, as files: `RENEW_GOLDEN=1 pytest FILE` writes them anew.

What was found is named here, so that a file changes only with the way it is read.
"""

import os
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from ingestion.models import Chunk, Collection
from rag.answering.context import read_around
from rag.answering.synthesis.context import render_sources
from rag.search.retrieval.passages import load_passages
from rag.types import Explanation
from tests.conftest import index_text, make_public
from tests.kept import Kept

SAMPLE = Path(__file__).parents[4] / "fixtures" / "urzad"
GOLDEN = Path(__file__).parent / "golden"
WHOLE = 24_000
"""Characters that the shipped presets read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """`found`: words of the passages that the search found, the best first, with the document that has them."""

    found: tuple[tuple[str, str], ...]
    characters: int = WHOLE


WASTE, OLD_WASTE = "mieszkancy/odpady-stawki-2026.md", "mieszkancy/odpady-stawki-2024.md"
BUSINESS = "mieszkancy/dzialalnosc-i-zezwolenia.md"
LEAVE = "kadry/urlop-wypoczynkowy.md"
ORDERS = "finanse/regulamin-zamowien.docx"
BACKUP = "informatyka/kopie-zapasowe.pdf"
TOKENS = "elipowo/uwierzytelnianie-jwt.md"
COMPLAINTS = "kancelaria/skargi-i-wnioski.pdf"

CASES = {
    "small-document": Case(found=((WASTE, "PSZOK przy ul."),)),
    "two-versions": Case(found=((WASTE, "38 zł"), (OLD_WASTE, "31 zł"))),
    "row-of-a-table": Case(found=((BUSINESS, "525 zł"),), characters=1_400),
    "table-of-a-pdf": Case(found=((BACKUP, "RPO"),), characters=1_600),
    "list": Case(found=((ORDERS, "cena najkorzystniejszej oferty"),), characters=2_200),
    "two-sections-of-one-document": Case(found=((LEAVE, "Wymiar urlopu zależy"), (LEAVE, "Choroba w trakcie"))),
    "two-sections-in-a-small-budget": Case(
        found=((LEAVE, "Wymiar urlopu zależy"), (LEAVE, "Choroba w trakcie")), characters=3_600
    ),
    "long-document": Case(found=((ORDERS, "zapytanie ofertowe publikowane w BIP"),), characters=4_000),
    "code": Case(found=((TOKENS, "rotacja"),), characters=1_800),
    "several-documents": Case(
        found=((BUSINESS, "decyzję sanitarną"), (COMPLAINTS, "Sekretarz Miasta"), (WASTE, "kompostownik")),
        characters=5_000,
    ),
    "no-room": Case(found=((LEAVE, "Wymiar urlopu zależy"), (BUSINESS, "525 zł")), characters=300),
    "page-of-the-office": Case(found=(("kadry/benefity.html", "okularów"),), characters=3_000),
}


def write_sample() -> None:
    public = make_public()
    for name in sorted({document for case in CASES.values() for document, _ in case.found}):
        index_text(public, (SAMPLE / name).read_bytes(), name=Path(name).name, uri=name)


@pytest.fixture(scope="module")
def kept_sample(kept_rows: Kept) -> None:
    kept_rows.make(write_sample)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.usefixtures("kept_sample", "db")
def test_what_is_read_is_as_in_its_file(name: str) -> None:
    read, golden = given_to_read(CASES[name]), GOLDEN / f"{name}.txt"
    if os.environ.get("RENEW_GOLDEN"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(read, encoding="utf-8")
    assert read == golden.read_text(encoding="utf-8")


def test_every_file_is_of_a_case() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(CASES)


def given_to_read(case: Case) -> str:
    collection = Collection.objects.get()
    keys = [_chunk(document, words) for document, words in case.found]
    passages, _ = load_passages({key: Explanation() for key in keys}, [collection.pk])
    found = [replace(passage, relevance=1 - rank / 10) for rank, passage in enumerate(passages)]
    read = read_around(found, collections=[collection], characters=case.characters)
    asked = [f"found: {document}: {words}" for document, words in case.found]
    return "\n".join([*asked, f"characters: {case.characters}", "", render_sources(read), ""])


def _chunk(document: str, words: str) -> int:
    chunks = Chunk.objects.filter(document__uri=document, text__contains=words)
    return chunks.order_by("ordinal").values_list("pk", flat=True)[0]
