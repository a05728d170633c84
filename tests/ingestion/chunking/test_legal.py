"""Acts are split by their units, each with its citation."""

from itertools import pairwise

import pytest

from ingestion.chunking.legal import LegalChunker
from ingestion.text.acts.statutes.units import read_units
from ingestion.types import ExtractedText
from tests.ingestion.chunking.contract import ChunkerContract
from tests.ingestion.chunking.legal_acts import RESOLUTION, STATUTE, cited, split
from tests.steps import steps


class TestLegalChunker(ChunkerContract):
    chunker = LegalChunker


@pytest.mark.parametrize(
    ("words", "citation"),
    [
        ("Ustawa określa", "art. 1 ust. 1"),
        ("zasady zakładania", "art. 1 ust. 1 pkt 1"),
        ("7 ust. 1, w tym", "art. 1 ust. 1 pkt 2"),
        ("zamykanie na wniosek", "art. 1 ust. 1 pkt 2 lit. a"),
        ("zamykanie z urzędu", "art. 1 ust. 1 pkt 2 lit. b"),
        ("grozi niebezpieczeństwo", "art. 1 ust. 1 pkt 2 lit. b tiret pierwsze"),
        ("ogród jest pusty", "art. 1 ust. 1 pkt 2 lit. b tiret drugie"),
        ("jeżeli gmina", "art. 1 ust. 1"),  # it closes the whole enumeration
        ("Organem właściwym", "art. 1 ust. 2"),
        ("nic więcej", "art. 1 ust. 2"),
        ("w porozumieniu", "art. 1 ust. 2a"),
        ("Rada wydaje", "art. 1 ust. 3"),
        ("wprowadza się następujące zmiany", "art. 1a"),
        ("Park jest otwarty", "art. 1a pkt 1"),  # of the act that is changed, quoted
        ("jest bezpłatny", "art. 1a pkt 1"),
        ("uchyla się art. 7", "art. 1a pkt 2"),
        ("podlega grzywnie", "art. 2^1 § 1"),
        ("Kodeksu wykroczeń", "art. 2^1 § 2"),
        ("(uchylony)", "art. 2^1 § 2a"),
        ("(uchylone)", "art. 3–5"),
        ("wchodzi w życie", "art. 6"),
        ("z dnia 1 maja", ""),
        ("Art. 1. Zakres ustawy", ""),  # a table of contents
    ],
)
def test_every_place_of_a_statute_has_its_citation(words: str, citation: str) -> None:
    assert cited(STATUTE, words) == citation


@pytest.mark.parametrize(
    ("words", "citation"),
    [
        ("Uchwala się", "§ 1"),
        ("wójtowi", "§ 2"),
        ("Targowisko jest czynne", "§ 1 ust. 1"),
        ("palenia ognisk", "§ 1 ust. 2 pkt 2"),
        ("kartą", "§ 2 lit. b"),
    ],
)
def test_paragraphs_are_the_widest_units_of_a_resolution_and_begin_anew_in_its_annex(words: str, citation: str) -> None:
    assert cited(RESOLUTION, words) == citation


def test_units_are_found_without_line_breaks_too() -> None:
    text = STATUTE[STATUTE.index("## Rozdział 1") : STATUTE.index("Załącznik")]  # no contents, no annex
    text = text.replace("©Kancelaria Sejmu s. 2/8\n2024-05-10\n", "")
    by_lines = {unit.citation for unit in read_units(text) if "tiret" not in unit.citation}
    assert by_lines == {unit.citation for unit in read_units(" ".join(text.replace("#", "").split()))}


def test_an_article_that_fits_is_a_chunk_under_its_divisions() -> None:
    paths = [path for path, _ in split(STATUTE)]
    assert paths == [
        (),
        ("Rozdział 1 Przepisy ogólne", "art. 1"),
        ("Rozdział 1 Przepisy ogólne", "art. 1a"),
        ("Rozdział 2 Kary", "art. 2^1"),
        ("Rozdział 2 Kary", "art. 3–5"),
        ("Rozdział 2 Kary", "art. 6"),
        ("Załącznik nr 1",),
    ]


def test_a_heading_stands_with_the_first_article_below_it() -> None:
    assert split(STATUTE)[1][1].startswith("## Rozdział 1\n\nPrzepisy ogólne\n\nArt. 1. 1.")


def test_a_long_article_is_split_by_its_narrower_units() -> None:
    pieces = split(STATUTE, chunk_size=48)
    citations = [path[-1] for path, _ in pieces if path and path[-1].startswith("art. 1 ")]
    assert citations == [
        "art. 1 ust. 1 pkt 1",
        "art. 1 ust. 1 pkt 2 lit. a",
        "art. 1 ust. 1 pkt 2 lit. b",
        "art. 1 ust. 1 pkt 3",
        "art. 1 ust. 2–3",
    ]


def test_what_follows_a_unit_too_long_for_a_chunk_repeats_nothing_of_it() -> None:
    long = "To jest bardzo długie zdanie przepisu. " * 40
    text = f"Art. 1. 1. Krótki ustęp.\n2. {long}\n3. Trzeci ustęp.\n4. Czwarty ustęp.\nArt. 2. Drugi.\n"
    spans = LegalChunker(chunk_size=128, overlap=0).split(ExtractedText(text=text, extractor="test"))
    assert all(one.end <= other.start for one, other in pairwise(spans))
    assert [span.heading_path[-1] for span in spans] == [
        "art. 1 ust. 1",
        *["art. 1 ust. 2"] * 4,
        "art. 1 ust. 3–4",
        "art. 2",
    ]


def test_a_unit_too_long_for_a_chunk_keeps_its_citation_on_all_pieces() -> None:
    text = "Art. 1. Pierwszy.\nArt. 2. " + "To jest bardzo długie zdanie przepisu. " * 40 + "\nArt. 3. Trzeci.\n"
    assert [path for path, _ in split(text, chunk_size=128) if path == ("art. 2",)] == [("art. 2",)] * 4


@pytest.mark.parametrize(
    ("written", "citation"),
    [
        ("Art. 43^5. Treść", "art. 43^5"),
        ("Art. 43⁵. Treść", "art. 43^5"),
        ("Art. 43(5). Treść", "art. 43^5"),
        ("Art. 43^{5}. Treść", "art. 43^5"),
        ("Art. 18^3a. Treść", "art. 18^3a"),
        ("**Art. 7.** Treść", "art. 7"),
        ("Artykuł 7\n\nTreść", "art. 7"),
        ("ART. 7. Treść", "art. 7"),
        ("Art. l. Treść", "art. 1"),
        ("Art. 8\\. Treść", "art. 8"),
        ("§ 1. Treść", "§ 1"),
        ("§1. Treść", "§ 1"),
    ],
)
def test_numbers_are_read_however_they_are_written(written: str, citation: str) -> None:
    assert cited(f"Wstęp.\n\n{written} przepisu.\n", "przepisu") == citation


@pytest.mark.parametrize(
    "words",
    [
        "Zgodnie z przepisem, o którym mowa w lit.\nb) stosuje się go dalej",
        "Termin upływa w dniu\n2. maja albo później",
        "Kto wykonuje zadania określone w\nart. 2 ust. 1, działa dalej",
        "Art. 2 stosuje się dalej",
    ],
)
def test_a_reference_opens_no_unit(words: str) -> None:
    text = f"Art. 1. 1. Przepis mówi:\na) to i owo. {words}.\n"
    assert cited(text, "dalej" if "dalej" in words else "później") == "art. 1 ust. 1 lit. a"


def test_a_text_that_is_no_act_is_split_as_markdown() -> None:
    assert split("# Urlopy\n\nPracownik ma prawo do urlopu.\n")[0][0] == ("Urlopy",)


@pytest.mark.parametrize("piece", ["„1. ", '"Art. 1. ', "Art. 1. ", "\n– a,", "a) "])
def test_work_grows_with_the_length_of_hostile_text_not_with_its_square(piece: str) -> None:
    def work(copies: int) -> int:
        return steps(lambda: read_units("Art. 1. Oto:\n" + piece * copies))

    assert work(8_000) < 10 * work(1_000)
