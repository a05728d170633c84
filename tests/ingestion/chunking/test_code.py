import pytest

from ingestion.chunking.code import CodeChunker
from ingestion.chunking.protocol import Chunker
from ingestion.chunking.syntax.grammars import GRAMMARS
from ingestion.types import ExtractedText
from tests.ingestion.chunking.contract import ChunkerContract

PYTHON = '''"""Naliczanie odsetek."""

import datetime
from decimal import Decimal


# Stawka jest roczna.
@dataclass(frozen=True)
class Odsetki:
    """Odsetki ustawowe za opóźnienie."""

    stawka: Decimal

    def nalicz(self, kwota: Decimal, dni: int) -> Decimal:
        """Odsetki od kwoty za dni opóźnienia."""
        roczne = kwota * self.stawka / 100
        return (roczne * dni / 365).quantize(Decimal("0.01"))

    async def zapisz(self, baza: str) -> None:
        for rok in range(2000, 2030):
            if rok % 4 == 0:
                baza += f"rok {rok} jest przestępny w kalendarzu żółć"
            else:
                baza += f"rok {rok} jest zwykły w kalendarzu"
        print(baza)


def dni_opoznienia(od: datetime.date, do: datetime.date) -> int:
    return (do - od).days
'''
SOURCES = {  # language: (source, paths of its definitions)
    "javascript": (
        "import a from 'b';\n\nexport default class Koszyk {\n  dodaj(x) {\n    return x + 111111111111;\n  }\n}\n\n"
        "const suma = (x) => {\n  return x * 22222222222222222222222222;\n};\n",
        {("Koszyk",), ("suma",)},
    ),
    "typescript": (
        "interface Faktura {\n  numer: string;\n  kwota: number;\n}\n\n"
        "export function licz<T>(f: T): number {\n  return 1000000000000000000;\n}\n",
        {("Faktura",), ("licz",)},
    ),
    "java": (
        "package pl.gmina;\n\nimport java.util.List;\n\npublic class Podatek {\n  private int stawka = 12;\n\n"
        "  public int nalicz(int kwota) {\n    return kwota * stawka / 100;\n  }\n\n"
        "  public int zaokraglij(int kwota) {\n    return kwota / 10 * 10;\n  }\n}\n",
        {("Podatek", "nalicz"), ("Podatek", "zaokraglij")},
    ),
    "c": (
        "#include <stdio.h>\n\nstruct punkt {\n  int x;\n  int y;\n  int z;\n  int barwa;\n};\n\n"
        'static char *nazwa(int numer) {\n  printf("numer %d\\n", numer);\n  return 0;\n}\n',
        {("punkt",), ("nazwa",)},
    ),
    "cpp": (
        "#include <vector>\n\nint Okno::szerokosc(int piksele) {\n  return piksele * 2000000000;\n}\n\n"
        "template <class T> T wieksze(T pierwsze, T drugie) {\n  return pierwsze > drugie ? pierwsze : drugie;\n}\n",
        {("Okno::szerokosc",), ("wieksze",)},
    ),
    "go": (
        'package main\n\nimport "fmt"\n\ntype Sklep struct {\n\tNazwa string\n\tAdres string\n\tMiasto string\n}\n\n'
        "func (s *Sklep) Otworz(godzina int) string {\n\treturn fmt.Sprint(godzina, s.Nazwa)\n}\n",
        {("Sklep",), ("Otworz",)},
    ),
    "rust": (
        "use std::fmt;\n\nstruct Ulica {\n    nazwa: String,\n    dzielnica: String,\n    domy: u32,\n}\n\n"
        "fn policz(domy: &[u32]) -> u32 {\n    domy.iter().map(|dom| dom * 2).sum()\n}\n",
        {("Ulica",), ("policz",)},
    ),
    "php": (
        "<?php\n\nuse App\\Baza;\n\nclass Wniosek {\n  public $numer = 1;\n  public $data = '2024-01-01 12:00';\n}\n\n"
        "function przyjmij($wniosek) {\n  return $wniosek->numer + 1000000000;\n}\n",
        {("Wniosek",), ("przyjmij",)},
    ),
    "sql": (
        "CREATE TABLE mieszkaniec (\n  pesel text PRIMARY KEY,\n  nazwisko text NOT NULL,\n  ulica text\n);\n\n"
        "CREATE VIEW dorosli AS SELECT pesel, nazwisko FROM mieszkaniec WHERE wiek >= 18 ORDER BY nazwisko;\n",
        {("mieszkaniec",), ("dorosli",)},
    ),
}


def split(text: str, language: str, *, chunk_size: int = 30) -> list[tuple[tuple[str, ...], str]]:
    extracted = ExtractedText(text=text, extractor="test", metadata={"kind": "code", "language": language})
    spans = CodeChunker(chunk_size=chunk_size, overlap=5).split(extracted)
    assert all(span.kind == "code" for span in spans)
    return [(span.heading_path, text[span.start : span.end]) for span in spans]


class TestCodeChunker(ChunkerContract):
    chunker = CodeChunker

    def build(self, chunk_size: int, overlap: int) -> Chunker:
        return CodeChunker(chunk_size=chunk_size, overlap=overlap, language="python")


class TestCodeWithoutAGrammar(ChunkerContract):
    chunker = CodeChunker


def test_a_method_is_a_chunk_under_its_class() -> None:
    pieces = dict(split(PYTHON, "python", chunk_size=70))
    assert pieces["Odsetki", "nalicz"].startswith("def nalicz(self")
    assert pieces["Odsetki", "nalicz"].endswith('quantize(Decimal("0.01"))')


def test_imports_stand_with_the_docstring_of_the_module() -> None:
    (path, text), *_ = split(PYTHON, "python", chunk_size=70)
    assert path == ()
    assert text == '"""Naliczanie odsetek."""\n\nimport datetime\nfrom decimal import Decimal'


def test_comments_and_decorators_stand_with_what_they_describe() -> None:
    pieces = dict(split(PYTHON, "python", chunk_size=70))
    assert pieces["Odsetki",].startswith("# Stawka jest roczna.\n@dataclass(frozen=True)\nclass Odsetki:")


def test_a_large_function_is_cut_between_its_statements() -> None:
    pieces = [text for path, text in split(PYTHON, "python") if path == ("Odsetki", "zapisz")]
    assert len(pieces) > 1
    lines = [line.strip() for line in PYTHON.split("\n")]
    assert all(line.strip() in lines for text in pieces for line in text.split("\n"))


def test_small_definitions_share_a_chunk() -> None:
    source = "".join(f"def f{number}():\n    return {number}\n\n\n" for number in range(12))
    pieces = split(source, "python", chunk_size=64)
    assert len(pieces) == 6
    assert {path for path, _ in pieces} == {()}


def test_a_text_that_is_not_in_its_language_is_covered_all_the_same() -> None:
    text = "To nie jest program, lecz zdanie. " * 20
    assert "".join(piece for _, piece in split(text, "java")).replace(" ", "") == text.replace(" ", "")


def test_tsx_is_read_where_typescript_fails() -> None:
    source = "export function Karta(p: Props) {\n  return <div className='karta'>{p.tytul}</div>;\n}\n" * 2
    assert {path for path, _ in split(source, "typescript", chunk_size=26)} == {("Karta",)}


def test_definitions_nested_without_end_are_no_danger() -> None:
    source = "".join(" " * depth + f"def f{depth}():\n" for depth in range(300)) + " " * 300 + "pass\n"
    assert max(len(path) for path, _ in split(source, "python")) <= 20


@pytest.mark.parametrize("language", SOURCES)
def test_definitions_are_found_in(language: str) -> None:
    source, paths = SOURCES[language]
    assert paths <= {path for path, _ in split(source, language)}


def test_every_grammar_is_installed_and_tested() -> None:
    assert {*SOURCES, "python"} == set(GRAMMARS)
