import pytest

from ingestion.reading.formats.xlsx.number_formats import shown_number

HARD = "\u00a0"


@pytest.mark.parametrize(
    ("value", "pattern", "shown"),
    [
        (1234.5, "#,##0.00", f"1{HARD}234,50"),
        (1234567, "#,##0", f"1{HARD}234{HARD}567"),
        (0.125, "0.0%", "12,5%"),
        (0.125, "0.00", "0,13"),
        (0.5, "0", "1"),
        (-0.001, "0.0", "0,0"),
        (0.1 + 0.2, "General", "0,3"),
        (307373, "", "307373"),
        (85010112345, "00000000000", "85010112345"),
        (950, "00-000", "00-950"),
        (123456789, "000-000-000", "123-456-789"),
        (-5.5, '#,##0.00 "zł";[Red]-#,##0.00 "zł"', "-5,50 zł"),
        (12, '_-* #,##0.00\\ "zł"_-;\\-* #,##0.00\\ "zł"_-', "12,00 zł"),
        (0, '0;-0;"brak"', "brak"),
        (1234.5, "[$€-2] #,##0.00", f"€ 1{HARD}234,50"),
        (123456, "0,", "123"),
        (5, '"+"0', "+5"),
        (3, "#,##0.##", "3"),
        (1.5, "0.00E+00", "1,5"),
        (2.5, "# ?/?", "2,5"),
    ],
)
def test_numbers_are_shown_as_a_polish_excel_shows_them(value: float, pattern: str, shown: str) -> None:
    assert shown_number(value, pattern) == shown


@pytest.mark.parametrize(
    ("value", "pattern", "shown"),
    [
        (45366, "mm-dd-yy", "15.03.2024"),
        (45366, "yyyy-mm-dd", "2024-03-15"),
        (45366.5, "d mmmm yyyy hh:mm", "15 marca 2024 12:00"),
        (45366, "mmmm yyyy", "marzec 2024"),
        (45366, "dddd", "piątek"),
        (45366, '[$-415]d mmm yy "r.";@', "15 mar 24 r."),
        (26.5 / 24, "[h]:mm", "26:30"),
        (0.75, "h:mm AM/PM", "6:00 PM"),
        (1, "dd.mm.yyyy", "01.01.1900"),
        (61, "dd.mm.yyyy", "01.03.1900"),
        (-1, "dd.mm.yyyy", "-1"),
        (1e10, "dd.mm.yyyy", "10000000000"),
    ],
)
def test_days_since_1900_become_dates(value: float, pattern: str, shown: str) -> None:
    assert shown_number(value, pattern) == shown


def test_old_macs_count_from_1904() -> None:
    assert shown_number(45366 - 1462, "yyyy-mm-dd", from_1904=True) == "2024-03-15"
