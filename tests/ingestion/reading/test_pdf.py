import threading

import pytest

from ingestion.errors import CorruptDocument, EncryptedDocument, NoTextLayer
from ingestion.reading.formats.pdf.pdf import PdfExtractor
from ingestion.types import ExtractedText, no_progress
from tests.ingestion.reading.pdf_files import Print, frame, paragraph, pdf

BODY = [
    "Pracownik zatrudniony na podstawie umowy o pracę ma prawo do corocznego,",
    "nieprzerwanego, płatnego urlopu wypoczynkowego w wymiarze wynikającym z",
    "Kodeksu pracy i niniejszego regulaminu.",
]


def extract(content: bytes) -> ExtractedText:
    return PdfExtractor().extract(content, name="plik.pdf", progress=no_progress)


def test_polish_letters_and_paragraphs_come_out_whole() -> None:
    second = ["Wniosek składa się najpóźniej na trzy dni przed planowanym rozpoczęciem", "urlopu."]
    text = extract(pdf([paragraph(BODY) + paragraph(second, y=640)])).text
    assert text == " ".join(BODY) + "\n\n" + " ".join(second) + "\n"


def test_pages_are_exact_and_cover_the_text() -> None:
    found = extract(pdf([paragraph(["Strona pierwsza."]), [], paragraph(["Strona trzecia."])]))
    assert [page.number for page in found.pages] == [1, 2, 3]
    assert [found.text[page.start : page.end].strip() for page in found.pages] == [
        "Strona pierwsza.",
        "",
        "Strona trzecia.",
    ]
    assert found.pages[0].start == 0
    assert found.pages[-1].end == len(found.text)


def test_progress_counts_the_pages() -> None:
    seen: list[tuple[int, int]] = []
    content = pdf([paragraph(["Pierwsza."]), paragraph(["Druga."])])
    PdfExtractor().extract(content, name="a.pdf", progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]


def test_an_error_of_the_caller_is_not_blamed_on_the_file() -> None:
    def cancelled(done: int, total: int) -> None:
        raise KeyError("cancelled")

    with pytest.raises(KeyError):
        PdfExtractor().extract(pdf([paragraph(BODY)]), name="a.pdf", progress=cancelled)


def test_a_word_cut_at_the_end_of_a_line_is_joined() -> None:
    text = extract(
        pdf(
            [
                paragraph(
                    [
                        "Do wniosku o urlop ojcowski lub macierzyński należy dołączyć doku-",
                        "ment potwierdzający.",
                    ]
                )
            ]
        )
    ).text
    assert "dołączyć dokument potwierdzający." in text


def test_a_compound_keeps_its_hyphen_at_the_end_of_a_line() -> None:
    text = extract(
        pdf(
            [
                paragraph(
                    [
                        "Dokumentem sprzedaży wystawianym w Krajowym Systemie jest e-",
                        "faktura ustrukturyzowana.",
                    ]
                )
            ]
        )
    ).text
    assert "jest e-faktura ustrukturyzowana." in text


def test_a_paragraph_over_a_page_break_stays_one() -> None:
    found = extract(pdf([paragraph(BODY[:2]), paragraph([BODY[2][0].lower() + BODY[2][1:]])]))
    assert "z\nkodeksu pracy" in found.text
    assert found.text[found.pages[1].start :].startswith("kodeksu")


def test_large_print_becomes_a_heading_and_the_title() -> None:
    pages = [[Print("Regulamin urlopów", y=760, size=20), Print("Wymiar urlopu", y=730, size=14), *paragraph(BODY)]]
    found = extract(pdf(pages))
    assert found.text.startswith("# Regulamin urlopów\n\n## Wymiar urlopu\n\nPracownik")
    assert found.title == "Regulamin urlopów"


def test_a_bold_line_of_its_own_is_a_heading() -> None:
    found = extract(pdf([[Print("§ 4. Terminy składania wniosków", y=730, bold=True), *paragraph(BODY)]]))
    assert found.text.startswith("# § 4. Terminy składania wniosków\n\nPracownik")


def test_the_title_in_the_properties_wins_unless_it_is_a_file_name_or_cannot_be_read() -> None:
    assert extract(pdf([paragraph(BODY)], title="Regulamin pracy")).title == "Regulamin pracy"
    assert extract(pdf([paragraph(BODY)], title="dzieka\xabski urlop")).title == "dziekański urlop"
    for name in ("Microsoft Word - reg.doc", "regulamin.docx", "regulamin_2024", "umowa\xa9z\xb5"):
        assert extract(pdf([paragraph(BODY)], title=name)).title == ""


def test_running_headers_stay_once_and_page_numbers_go() -> None:
    pages = [
        [
            Print("Urząd Miasta Lipowo Dolne", y=810),
            *paragraph([f"Treść strony {word}."]),
            Print(f"Strona {number} z 3", y=30),
        ]
        for number, word in enumerate(("pierwszej", "drugiej", "trzeciej"), start=1)
    ]
    text = extract(pdf(pages)).text
    pages_text = "Treść strony pierwszej.\n\nTreść strony drugiej.\n\nTreść strony trzeciej.\n"
    assert text == f"Urząd Miasta Lipowo Dolne\n\n{pages_text}"


def test_a_ruled_table_becomes_a_pipe_table() -> None:
    cells = [("Stanowisko", "Dodatek"), ("kierownik", "500 zł"), ("referent", "200 zł")]
    prints = [
        Print(text, x=76 + 120 * column, y=685 - 30 * row)
        for row, pair in enumerate(cells)
        for column, text in enumerate(pair)
    ]
    drawings = frame(xs=(72, 192, 312), ys=(610, 640, 670, 700))
    text = extract(
        pdf([[Print("Tabela dodatków:", y=740), *prints, Print("Koniec tabeli.", y=560)]], drawings=drawings)
    ).text
    assert text == (
        "Tabela dodatków:\n\n"
        "| Stanowisko | Dodatek |\n| --- | --- |\n| kierownik | 500 zł |\n| referent | 200 zł |\n\n"
        "Koniec tabeli.\n"
    )


def test_items_of_a_list_stand_on_lines_of_their_own() -> None:
    text = extract(pdf([paragraph(["1. Wniosek o urlop.", "2. Zgoda kierownika.", "3. Ewidencja czasu pracy."])])).text
    assert text == "1. Wniosek o urlop.\n2. Zgoda kierownika.\n3. Ewidencja czasu pracy.\n"


def test_bullets_that_are_drawn_count_like_written_ones() -> None:
    dots = "66 701 4 4 re f\n66 688 4 4 re f\n"
    text = extract(pdf([paragraph(["wniosek o urlop,", "zgoda kierownika."], x=75)], drawings=dots)).text
    assert text == "- wniosek o urlop,\n- zgoda kierownika.\n"


def test_lines_of_two_columns_do_not_mix() -> None:
    left = paragraph(["Lewa kolumna zaczyna się tutaj i biegnie", "dalej w drugim wierszu."], x=50)
    right = paragraph(["Prawa kolumna stoi obok i także ma", "drugi wiersz."], x=320)
    assert extract(pdf([left + right])).text == (
        "Lewa kolumna zaczyna się tutaj i biegnie dalej w drugim wierszu.\n\n"
        "Prawa kolumna stoi obok i także ma drugi wiersz.\n"
    )


def test_lines_written_in_no_order_are_read_from_top_to_bottom() -> None:
    order = [6, 0, 5, 1, 4, 2, 3]
    prints = [Print(f"{number + 1}. Pozycja", y=700 - 30 * number) for number in order]
    assert extract(pdf([prints])).text.split("\n")[:7] == [f"{number}. Pozycja" for number in range(1, 8)]


def test_a_page_of_turned_text_is_read_like_any_other() -> None:
    turned = "".join(
        f"BT /F1 11 Tf 0 1 -1 0 {100 + 13 * row} 100 Tm ({text}) Tj ET\n"
        for row, text in enumerate(["Tabela na stronie poziomej ma wiele bardzo szerokich kolumn", "oraz opis."])
    )
    assert extract(pdf([[]], drawings=turned)).text == (
        "Tabela na stronie poziomej ma wiele bardzo szerokich kolumn oraz opis.\n"
    )


def test_a_mark_in_the_margin_of_every_page_is_left_out() -> None:
    mark = "BT /F1 8 Tf 0 1 -1 0 30 300 Tm (Pobrano z serwisu) Tj ET\n"
    text = extract(pdf([paragraph(BODY), paragraph(BODY[::-1])], drawings=mark)).text
    assert "Pobrano" not in text
    assert text.startswith("Pracownik zatrudniony")


def test_dotted_lines_of_forms_are_shortened() -> None:
    assert extract(pdf([paragraph(["Imię i nazwisko: " + "." * 60])])).text == "Imię i nazwisko: …\n"


def test_a_scanned_pdf_fails_with_a_remedy() -> None:
    with pytest.raises(NoTextLayer) as caught:
        extract(pdf([[], []]))
    assert caught.value.code == "no_text_layer"
    assert "OCR" in str(caught.value.remedy)


@pytest.mark.slow
def test_scanned_pages_among_others_are_named_in_a_warning() -> None:
    image = "q 500 0 0 700 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \xff EI Q\n"
    mixed = pdf([paragraph(BODY), []], drawings=image)
    found = extract(mixed)
    assert len(found.warnings) == 1
    assert "2" in found.warnings[0]


def test_a_pdf_with_a_password_fails_with_a_remedy() -> None:
    with pytest.raises(EncryptedDocument):
        extract(pdf([paragraph(BODY)], encrypted=True))


@pytest.mark.parametrize("content", [b"%PDF-1.7\n", b"%PDF-1.4\n" + b"\x00\xff" * 500, pdf([paragraph(BODY)])[:200]])
def test_a_damaged_pdf_is_reported_as_such(content: bytes) -> None:
    with pytest.raises((CorruptDocument, NoTextLayer)):
        extract(content)


def test_threads_may_extract_at_the_same_time() -> None:
    content = pdf([paragraph(BODY)] * 5)
    results: list[str] = []
    threads = [threading.Thread(target=lambda: results.append(extract(content).text)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8
    assert len(set(results)) == 1
