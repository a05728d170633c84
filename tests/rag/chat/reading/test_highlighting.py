"""What is marked is what was quoted, letter by letter, wherever the range begins and ends."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.chat.reading.highlighting import highlight
from tests.steps import steps

ALLOWED = {
    *("p", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "hr", "br", "div", "span"),
    *("em", "strong", "s", "code", "a", "mark", "table", "thead", "tbody", "tr", "th", "td"),
}
Piece = tuple[str, bool]  # source text, and whether the reader sees it

_words = st.lists(st.from_regex(r"[a-ząćęłńóśźż][a-ząćęłńóśźż0-9]{0,8}", fullmatch=True), min_size=1, max_size=6).map(
    " ".join
)
_inline = st.one_of(
    _words.map(lambda text: [(text, True)]),
    _words.map(lambda text: [("**", True), (text, True), ("**", True)]),
    _words.map(lambda text: [("*", True), (text, True), ("*.", True)]),
    _words.map(lambda text: [("`", True), (text, True), ("`", True)]),
    st.tuples(_words, _words).map(
        lambda pair: [("[", True), (pair[0], True), (f"](https://x.pl/{pair[1].replace(' ', '-')})", False)]
    ),
    st.just([("&amp;", False)]),
    st.just([("„Ala” (10%)", True)]),
    st.just([("<b>nie znacznik</b>", True)]),
)
_line = st.lists(_inline, min_size=1, max_size=4).map(
    lambda parts: [piece for part in parts for piece in (*part, (" ", True))]
)


def _lines(prefix: Piece) -> st.SearchStrategy[list[Piece]]:
    return st.lists(_line, min_size=1, max_size=3).map(
        lambda lines: [piece for line in lines for piece in (prefix, *line, ("\n", True))]
    )


_cell = _words.map(lambda text: (text, True))
_table = st.tuples(_cell, _cell, _cell, _cell).map(
    lambda cells: [
        ("| ", True),
        cells[0],
        (" | ", True),
        cells[1],
        (" |\n|---|---|\n| ", True),
        cells[2],
        (" | ", True),
        cells[3],
        (" |\n", True),
    ]
)
_block = st.one_of(
    _line.map(lambda line: [*line, ("\n", True)]),
    _line.map(lambda line: [("## ", True), *line, ("\n", True)]),
    _lines(("- ", True)),
    _lines(("1. ", False)),
    _lines(("> ", True)),
    _table,
    _words.map(lambda text: [("```python\n", False), (f"{text}\n2. {text}\n", True), ("```\n", True)]),
)
_documents = st.lists(_block, min_size=1, max_size=5).map(
    lambda blocks: [piece for block in blocks for piece in (*block, ("\n", True))]
)


def marked(markup: str) -> str:
    return html.unescape("".join(re.findall(r"<mark[^>]*>(.*?)</mark>", markup, re.S)))


def letters(text: str) -> str:
    return "".join(character for character in text if character.isalnum())


@pytest.mark.slow
@given(pieces=_documents, choice=st.data())
def test_the_marked_letters_are_the_quoted_letters(pieces: list[Piece], choice: st.DataObject) -> None:
    text = "".join(source for source, _ in pieces)
    seen = [shown for source, shown in pieces for _ in source]
    start = choice.draw(st.integers(0, len(text)))
    end = choice.draw(st.integers(start, len(text)))

    result = highlight(text, start=start, end=end)

    quoted = "".join(text[at] for at in range(start, end) if seen[at])
    assert letters(marked(result.html)) == letters(quoted)
    assert result.marked or not letters(quoted)


@given(text=st.text(alphabet="ab1 \n#*`|[]()<>&;-_.:\\!\ue000\ue001\ue002~", max_size=80), choice=st.data())
def test_any_text_and_any_range_give_safe_markup(text: str, choice: st.DataObject) -> None:
    start, end = choice.draw(st.integers(0, 100)), choice.draw(st.integers(0, 100))
    markup = highlight(text, start=start, end=end, pages=[(1, 0), (2, len(text) // 2)]).html
    assert not re.search("[\ue000-\ue003]", markup)
    assert set(re.findall(r"<(\w+)", markup)) <= ALLOWED


def test_a_mark_across_elements_has_one_anchor() -> None:
    markup = highlight("Ala **ma** kota.\n\nI psa.", start=4, end=24).html
    assert markup == (
        '<p>Ala <strong><mark id="cytat" tabindex="-1">ma</mark></strong><mark> kota.</mark></p>\n'
        "<p><mark>I psa.</mark></p>\n"
    )


def test_a_full_stop_and_quotation_marks_of_the_quote_are_marked_too() -> None:
    assert marked(highlight("Rzekł: „Idę.” Poszedł.", start=7, end=13).html) == "„Idę.”"


def test_a_section_sign_before_the_first_number_is_marked_too() -> None:
    assert marked(highlight("## § 3. Opis\n\ntekst", start=0, end=12).html) == "§ 3. Opis"


def test_text_that_is_not_markdown_keeps_its_lines_and_signs() -> None:
    markup = highlight("# nie nagłówek\n<b>x</b>", start=2, end=5, markdown=False).html
    assert markup == (
        '<p class="as-written"># <mark id="cytat" tabindex="-1">nie</mark> nagłówek\n&lt;b&gt;x&lt;/b&gt;</p>'
    )


def test_a_range_inside_a_hidden_definition_marks_nothing_and_loses_nothing() -> None:
    result = highlight("[a]: https://x.pl\n\nZob. [a].", start=5, end=17)
    assert not result.marked
    assert "Zob." in result.html


def test_pages_are_told_apart_before_their_first_block() -> None:
    text = "Strona pierwsza.\n\n## Druga\n\ntekst"
    markup = highlight(text, start=18, end=33, pages=[(1, 0), (2, 18)]).html
    assert markup.index('id="strona-2"') < markup.index("<h3") < markup.index("Druga")
    assert letters(marked(markup)) == "Drugatekst"


def test_scripts_and_outside_pictures_of_a_document_do_not_reach_the_reader() -> None:
    markup = highlight(
        "<script>x</script> ![opis](https://zly.pl/p.png) [klik](javascript:alert(1)) [w](/wzgledny)"
    ).html
    assert "<script" not in markup
    assert "<img" not in markup
    assert "href" not in markup
    assert "opis" in markup


def test_the_title_repeated_as_heading_is_not_in_the_outline() -> None:
    result = highlight("# Regulamin\n\n## § 1. **Zakres**\n\ntekst", title="Regulamin")
    assert [(heading.level, heading.text) for heading in result.outline] == [(2, "§ 1. Zakres")]
    assert 'class="repeats-title"' in result.html


def test_the_work_of_a_page_grows_with_its_length_not_with_its_square() -> None:
    block = "## § 1. Tytuł\n\nZdanie z **pogrubieniem**, [odsyłaczem](https://x.pl) i `kodem`.\n\n- a\n\n"

    def work(copies: int) -> int:
        text = block * copies
        return steps(lambda: highlight(text, start=len(text) // 2, end=len(text) // 2 + 400))

    work(10)  # what is loaded once counts for nobody
    assert work(800) < 10 * work(100)
