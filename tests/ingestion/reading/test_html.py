import pytest

from ingestion.errors import EmptyDocument
from ingestion.reading.formats.html.html import HtmlExtractor
from ingestion.types import ExtractedText, no_progress

CLUTTER = (
    "<header><a href='/'>Urząd Miasta</a></header><nav><ul><li><a href='/a'>Aktualności</a></li></ul></nav>"
    "<div class='cookie-banner menu'>Używamy ciasteczek</div>"
)


def extract(body: str, *, head: str = "<meta charset=utf-8>", encoding: str = "utf-8") -> ExtractedText:
    page = f"<!doctype html><html lang=pl><head>{head}</head><body>{body}</body></html>"
    return HtmlExtractor().extract(page.encode(encoding), name="plik.html", progress=no_progress)


def test_main_content_comes_without_navigation_and_footer() -> None:
    found = extract(f"{CLUTTER}<main><h1>Urlopy</h1><p>Wymiar urlopu.</p></main><footer>© Urząd</footer>")
    assert found.text == "# Urlopy\n\nWymiar urlopu.\n"
    assert (found.title, found.language) == ("Urlopy", "pl")


def test_a_page_without_main_loses_its_clutter_all_the_same() -> None:
    assert extract(f"{CLUTTER}<h1>Urlopy</h1><p>{'Wymiar urlopu. ' * 9}</p><footer>© Urząd</footer>").text == (
        "# Urlopy\n\n" + "Wymiar urlopu. " * 8 + "Wymiar urlopu.\n"
    )


def test_headings_lists_and_numbers_are_kept() -> None:
    found = extract(
        "<h2>§ 1</h2><ol><li>Ustęp<ul><li>punkt</li></ul></li><li>Drugi</li></ol><ol start=5><li>x</li></ol>"
    )
    assert found.text == "## § 1\n\n1. Ustęp\n   - punkt\n2. Drugi\n\n5. x\n"


def test_tables_become_pipe_tables() -> None:
    rows = "<tr><th>Rok<th>Kwota</tr><tr><td>2024<td>1|2 zł</tr><tr><td colspan=2>razem</tr>"
    assert extract(f"<table><caption>Budżet</caption>{rows}</table>").text == (
        "Budżet\n\n| Rok | Kwota |\n| --- | --- |\n| 2024 | 1\\|2 zł |\n| razem |  |\n"
    )


def test_a_table_that_arranges_the_page_is_read_as_text() -> None:
    inner = "<table><tr><td>a</td><td>b</td></tr></table>"
    assert (
        extract(f"<table><tr><td><p>Lewa</p></td><td>{inner}</td></tr></table>").text
        == "Lewa\n\n| a | b |\n| --- | --- |\n"
    )


def test_code_keeps_its_lines() -> None:
    assert extract("<pre><code>a = 1\n  b = 2\n</code></pre>").text == "```\na = 1\n  b = 2\n```\n"


def test_scripts_styles_and_hidden_elements_are_left_out() -> None:
    hidden = "<script>x()</script><style>p{}</style><p hidden>a</p><p style='display: none'>b</p><!-- c -->"
    assert extract(f"{hidden}<p>Treść</p>").text == "Treść\n"


def test_the_title_element_serves_where_there_is_no_single_heading() -> None:
    assert extract("<p>Treść</p>", head="<title>Strona\n urzędu</title>").title == "Strona urzędu"


def test_a_page_of_links_without_structure_is_judged_by_its_content() -> None:
    links = "".join(f"<div><a href='/{n}'>Odnośnik do strony numer {n} w serwisie</a></div>" for n in range(60))
    text = "<p>" + "Pracownik ma prawo do corocznego urlopu wypoczynkowego w pełnym wymiarze. " * 6 + "</p>"
    found = extract(f"<div>{links}</div><div><h1>Urlopy</h1>{text * 3}</div>").text
    assert "corocznego urlopu" in found


@pytest.mark.parametrize(
    ("declared", "encoding"), [("iso-8859-2", "iso8859_2"), ("windows-1250", "cp1250"), ("utf-8", "cp1250")]
)
def test_the_declared_encoding_counts_unless_it_is_wrong(declared: str, encoding: str) -> None:
    assert (
        extract("<p>Zażółć gęślą jaźń</p>", head=f"<meta charset={declared}>", encoding=encoding).text
        == "Zażółć gęślą jaźń\n"
    )


def test_an_xml_bomb_does_not_grow() -> None:
    entities = '<!DOCTYPE html [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'
    page = f'<?xml version="1.0" encoding="utf-8"?>{entities}<html><body><p>Treść &b;</p></body></html>'
    text = HtmlExtractor().extract(page.encode(), name="a.html", progress=no_progress).text
    assert "aaa" not in text.split("Treść")[1]


def test_deep_nesting_does_not_break_the_reader() -> None:
    assert "Treść" in extract("<div>" * 200 + "<p>Treść</p>" + "</div>" * 200).text


def test_a_page_without_text_is_empty() -> None:
    with pytest.raises(EmptyDocument):
        extract("<script>x()</script>")


def test_a_raised_number_stays_a_number_of_its_own() -> None:
    """Article 2¹ of an act is not its article 21."""
    assert extract("<p>Art. 2<sup>1</sup>. Ustawę stosuje się<sup>*</sup>.</p>").text == (
        "Art. 2^1. Ustawę stosuje się*.\n"
    )
