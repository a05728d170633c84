"""Reading order, tables, notes and letters of pages that programs write in difficult ways."""

import pytest

from ingestion.reading.formats.pdf.layout.hyphens import join_hyphenated
from ingestion.reading.formats.pdf.pdf import PdfExtractor
from ingestion.types import ExtractedText, no_progress
from tests.ingestion.reading.pdf_files import Print, frame, paragraph, pdf

LEFT = [
    "Rada gminy uchwala budżet na",
    "rok następny do końca grudnia,",
    "a jeżeli tego nie zrobi, budżet",
    "ustala regionalna izba i wtedy",
    "rada nie może go już zmienić.",
]
RIGHT = [
    "Wójt przedstawia sprawozdanie",
    "z wykonania budżetu co roku w",
    "terminie do końca marca, potem",
    "rada rozpatruje je na sesji do",
    "trzydziestego dnia czerwca br.",
]
THIRD = [
    "Komisja rewizyjna opiniuje to",
    "sprawozdanie i występuje do",
    "rady z wnioskiem o udzielenie",
    "albo nieudzielenie wójtowi",
    "absolutorium z tego tytułu.",
]


def extract(content: bytes) -> ExtractedText:
    return PdfExtractor(lambda: None).extract(content, name="plik.pdf", progress=no_progress)


def rows(*columns: list[str], xs: tuple[int, ...], y: float = 700) -> list[Print]:
    """The columns line by line from left to right, as scanners with recognition write them."""
    return [
        Print(line, x=x, y=y - 13 * row)
        for row, lines in enumerate(zip(*columns, strict=True))
        for x, line in zip(xs, lines, strict=True)
    ]


def test_columns_written_line_by_line_are_read_one_after_the_other() -> None:
    text = extract(pdf([rows(LEFT, RIGHT, xs=(50, 240))])).text
    assert text.split() == " ".join(LEFT + RIGHT).split()


def test_three_columns_under_a_heading_over_all_of_them() -> None:
    title = Print("Gospodarka finansowa gminy w nowym roku budżetowym i później", x=50, y=740, size=14)
    end = Print("Koniec wydania, następny numer biuletynu ukaże się za miesiąc w urzędzie.", x=50, y=560)
    text = extract(pdf([[title, *rows(LEFT, RIGHT, THIRD, xs=(30, 215, 400)), end]])).text
    assert text.split() == ["#", *" ".join([title.text, *LEFT, *RIGHT, *THIRD, end.text]).split()]


def test_a_sidebar_does_not_cut_into_the_text_beside_it() -> None:
    sidebar = [
        Print(line, x=450, y=694 - 16 * row)
        for row, line in enumerate(["Ważne terminy", "wnioski: maj", "odbiór: lipiec"])
    ]
    text = extract(
        pdf(
            [
                [
                    one
                    for pair in zip(paragraph(LEFT), [*sidebar, *sidebar[:0], None, None], strict=True)
                    for one in pair
                    if one
                ]
            ]
        )
    ).text
    assert " ".join(LEFT) in text
    assert text.index("Ważne terminy") > text.index("zmienić")


def test_rows_of_a_table_without_lines_stay_together_and_in_columns() -> None:
    cells = [
        ("Stanowisko", "Etaty", "Dodatek"),
        ("kierownik", "1", "500 zł"),
        ("referent", "12", "200 zł"),
        ("goniec", "3", "90 zł"),
    ]
    prints = [
        Print(text, x=72 + 150 * column, y=680 - 15 * row)
        for row, one in enumerate(cells)
        for column, text in enumerate(one)
    ]
    text = extract(pdf([[Print("Dodatki wypłaca się co miesiąc według tej tabeli.", y=720), *prints]])).text
    assert "| Stanowisko | Etaty | Dodatek |\n| --- | --- | --- |\n| kierownik | 1 | 500 zł |\n" in text
    assert "| goniec | 3 | 90 zł |" in text


def test_text_that_runs_over_the_next_cell_stays_in_its_own() -> None:
    prints = [Print("Przychody ze sprzedaży towarów", x=74, y=685), Print("1622", x=160, y=655)]
    prints += [Print("Koszty", x=74, y=655), Print("Wynik", x=74, y=625), Print("18", x=160, y=625)]
    text = extract(pdf([prints], drawings=frame(xs=(72, 150, 220), ys=(610, 640, 670, 700)))).text
    assert text == "| Przychody ze sprzedaży towarów |  |\n| --- | --- |\n| Koszty | 1622 |\n| Wynik | 18 |\n"


def test_a_table_without_outer_lines_has_all_its_columns() -> None:
    cells = [("Nazwa", "Liczba", "Uwagi"), ("krzesła", "20", "nowe"), ("stoły", "5", "stare")]
    prints = [
        Print(text, x=76 + 120 * column, y=685 - 30 * row)
        for row, one in enumerate(cells)
        for column, text in enumerate(one)
    ]
    drawings = "".join(f"72 {y} m 432 {y} l S\n" for y in (610, 640, 670, 700)) + "".join(
        f"{x} 610 m {x} 700 l S\n" for x in (192, 312)
    )
    assert "| krzesła | 20 | nowe |" in extract(pdf([prints], drawings=drawings)).text


def test_the_cells_of_a_letterhead_are_read_one_by_one() -> None:
    left = [Print("Szkoła Podstawowa", x=76, y=735), Print("ul. Długa 4", x=76, y=720)]
    right = [Print("Adresat:", x=306, y=735), Print("Urząd Miasta", x=306, y=720)]
    mixed = [one for pair in zip(left, right, strict=True) for one in pair]
    text = extract(pdf([mixed], drawings=frame(xs=(72, 300, 500), ys=(700, 705, 750)))).text
    assert text == "Szkoła Podstawowa ul. Długa 4\n\nAdresat: Urząd Miasta\n"


def test_the_mark_of_a_footnote_is_no_part_of_its_word() -> None:
    prints = [
        Print("Wniosek składa pracownik", x=72, y=700), Print("1", x=199, y=704, size=6),
        Print("na piśmie.", x=205, y=700),
        Print("1", x=72, y=104, size=6), Print("Wzór wniosku stanowi załącznik do regulaminu.", x=77, y=100, size=9),
    ]  # fmt: skip
    text = extract(pdf([prints])).text
    assert "pracownik[^1] na piśmie." in text
    assert "[^1]: Wzór wniosku" in text


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("wiêkszoœæ ludnoœci ¿yje w mieœcie", "większość ludności żyje w mieście"),
        ("zaj¦¢ b¦dzie wi¦cej ni» dot¡d", "zajęć będzie więcej niż dotąd"),
    ],
)
def test_letters_of_a_lost_code_page_are_set_right(written: str, meant: str) -> None:
    codes = {"ê": "\xea", "œ": "\x9c", "æ": "\xe6", "¿": "\xbf", "¦": "\xa6", "¢": "\xa2", "»": "\xbb", "¡": "\xa1"}
    raw = "".join(codes.get(letter, letter) for letter in written)
    content = pdf([[Print(raw)]]).replace(b"/Differences [161", b"/Differences [256")
    assert extract(content).text.strip() == meant


@pytest.mark.parametrize(
    ("left", "right", "joined"),
    [
        ("stosunki polsko-", "angielskie", "stosunki polsko-angielskie"),
        ("plan społeczno-", "gospodarczy", "plan społeczno-gospodarczy"),
        ("przed roz-", "poczęciem", "przed rozpoczęciem"),
        ("do nie-", "zbędnych", "do niezbędnych"),
        ("kolor biało-", "-czerwony", "kolor biało-czerwony"),
        ("rok 2024-", "2025", "rok 2024-2025"),
        ("system e-", "doręczeń", "system e-doręczeń"),
    ],
)
def test_a_hyphen_at_the_end_of_a_line_stays_only_where_the_word_has_it(left: str, right: str, joined: str) -> None:
    assert join_hyphenated(left, right, frozenset()) == joined


def test_check_sums_that_differ_do_not_make_a_footer_part_of_the_text() -> None:
    pages = [
        [*paragraph([f"Treść strony {word}."]), Print(f"Skrót weryfikacyjny: {code} kopia dokumentu", y=30)]
        for word, code in (("pierwszej", "9VQDr+X3w="), ("drugiej", "tThGeP7c="), ("trzeciej", "RLwPh2oW="))
    ]
    assert extract(pdf(pages)).text.count("Skrót") == 1
