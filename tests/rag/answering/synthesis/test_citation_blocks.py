from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.answering.synthesis.citation_blocks import LocatedText, blocks_of, source_of, span_of
from rag.answering.synthesis.citations import CitationParser
from rag.types import Located

TEXT = "Urlop wynosi 26 dni.  Wniosek składa pracownik.\n\n- Termin: 7 dni\n- Forma: pisemna\n"


def located(passage, first, last, *, source=0, quoted=None):
    blocks = source_of(passage).blocks
    return Located(
        source=source, first=first, last=last, quoted="".join(blocks[first:last]) if quoted is None else quoted
    )


@given(text=st.text(min_size=1, max_size=300).filter(str.strip))
def test_the_blocks_of_a_passage_are_all_of_it_and_none_is_blank(passage, text):
    blocks = blocks_of(passage(text))
    assert all(block.text.strip() for block in blocks)
    spans = [block.span for block in blocks]
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))


def test_a_sentence_takes_the_white_space_after_it(passage):
    found = passage(TEXT)
    assert "".join(source_of(found).blocks) == TEXT
    assert source_of(found).blocks[0] == "Urlop wynosi 26 dni.  "


@pytest.mark.parametrize(
    ("first", "last", "quote"),
    [
        (0, 1, "Urlop wynosi 26 dni."),
        (0, 2, "Urlop wynosi 26 dni.  Wniosek składa pracownik."),
        (2, 4, "- Termin: 7 dni\n- Forma: pisemna"),
    ],
)
def test_a_range_of_blocks_is_an_exact_span(passage, first, last, quote):
    found = passage(TEXT)
    start, end = span_of(located(found, first, last), found)
    assert found.text[start:end] == quote


@pytest.mark.parametrize(("first", "last"), [(0, 0), (2, 1), (-1, 1), (9, 10), (0, 9)])
def test_a_range_that_is_none_proves_nothing(passage, first, last):
    found = passage(TEXT)
    assert span_of(located(found, first, last, quoted="Urlop wynosi 26 dni."), found) is None


def test_a_quote_that_differs_from_its_blocks_proves_nothing(passage):
    found = passage(TEXT)
    assert span_of(located(found, 0, 1, quoted="Urlop wynosi 27 dni."), found) is None


def test_context_around_a_passage_is_sent_but_only_the_passage_is_quoted(passage):
    found = passage("Urlop wynosi 26 dni.", context_before="Zdanie przed.", context_after="Zdanie po.")
    assert source_of(found).blocks == ("Zdanie przed.\n", "Urlop wynosi 26 dni.", "\nZdanie po.")
    assert span_of(located(found, 0, 3), found) == (0, len(found.text))
    assert span_of(located(found, 0, 1), found) is None


def test_the_title_names_the_headings(passage):
    assert source_of(passage("Tak.", heading_path=("Urlopy", "Wymiar"))).title == "Dokument 1 › Urlopy › Wymiar"


def shown(passage, *pieces):
    parser = CitationParser([passage])
    text = LocatedText([passage], parser)
    fed = [text.feed(piece) for piece in pieces]
    for piece in (*fed, text.finish()):
        list(parser.feed(piece))
    list(parser.finish())
    return parser


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ("Tak.", " Nie.", "Tak [1]. Nie."),
        ("- tak\n", "- nie", "- tak [1]\n- nie"),
        ("Wpisz `a[0].`", "", "Wpisz `a[0].` [1]"),
        ("Wpisz `a", "[0]`.", "Wpisz `a[0]` [1]."),
        ("```\na = [1]\n```", "\nDalej.", "```\na = [1]\n```\n[1]\nDalej."),
        ("```\na = 1", "\n```\nDalej.", "```\na = 1\n```\n[1]\nDalej."),
        ("[y](http://zle", ".pl) x", "y [1] x"),
        ("Tak <", "http://zle.pl>", "Tak < [1]http://zle.pl>"),
        ("Znak\ue001", ".", "Znak [1]."),
    ],
)
def test_the_number_stands_where_it_harms_nothing(passage, before, after, text):
    found = passage(TEXT)
    parser = shown(found, before, located(found, 0, 1), after)
    assert parser.text == text
    assert len(parser.citations) == 1


def test_a_citation_of_no_text_is_left_out(passage):
    found = passage(TEXT)
    assert shown(found, located(found, 0, 1), "Tak.").text == "Tak."


@given(cuts=st.lists(st.integers(0, 40), max_size=6))
def test_the_result_does_not_depend_on_how_the_text_was_cut(passage, cuts):
    found = passage(TEXT)
    text = "Urlop: **26 dni**... Wniosek [1] i `kod`."
    edges = sorted({0, len(text), *cuts})
    pieces = [text[start:end] for start, end in pairwise(edges)]
    quote = located(found, 0, 1)
    parser = shown(found, *pieces, quote)
    assert parser.text == shown(found, text, quote).text == "Urlop: **26 dni**... Wniosek [1] i `kod` [2]."
