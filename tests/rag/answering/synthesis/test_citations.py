import re
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from rag.answering.synthesis.citations import CitationParser
from rag.types import Citation, Passage
from tests.rag.answering.synthesis.conftest import MakePassage

MARKUP = st.sampled_from(
    ["[1]", "[2]", " [3]", "[9]", "[1, 2]", "[1-3]", "[0]", "[", "]", "(", ")", "[sic]", "`", "```", "\n",
     " ", "!", "<", "http://zle.pl", "![x](http://zle.pl)", "[y](http://zle.pl)", "[y]", ">",
     "słowo", "Zdanie.", "1", ",", "-", ":", "[y]: http://zle.pl\n", "~~~"]
)  # fmt: skip


@pytest.fixture(scope="session")
def passages(passage: MakePassage) -> list[Passage]:
    return [
        passage("Wstęp do regulaminu. Urlop wynosi 20 dni.\nWniosek składa pracownik.", chunk_id=1),
        passage("Po dziesięciu latach urlop wynosi 26 dni.", chunk_id=2),
        passage("Delegacja krajowa trwa do 30 dni.", chunk_id=3),
    ]


@pytest.fixture(scope="session")
def parse(passages: list[Passage]):  # type: ignore[no-untyped-def]
    def parse(*pieces: str) -> tuple[CitationParser, list[str | Citation]]:
        parser = CitationParser(passages)
        shown = [part for piece in pieces for part in parser.feed(piece)]
        return parser, [*shown, *parser.finish()]

    return parse


def text_of(parts: Sequence[str | Citation]) -> str:
    return "".join(part for part in parts if isinstance(part, str))


@settings(deadline=None)  # the first example loads the dictionary
@given(words=st.lists(MARKUP, max_size=25), cuts=st.lists(st.integers(0, 200), max_size=10))
def test_the_result_does_not_depend_on_how_the_text_was_cut(parse, words, cuts):
    text = "".join(words)
    edges = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    whole, shown_whole = parse(text)
    cut, shown_cut = parse(*(text[a:b] for a, b in pairwise(edges)))
    letters, shown_letters = parse(*text)
    assert text_of(shown_cut) == text_of(shown_whole) == text_of(shown_letters) == whole.text
    assert cut.citations == whole.citations == letters.citations
    assert cut.removed == whole.removed == letters.removed


@settings(deadline=None)  # the first example loads the dictionary
@given(words=st.lists(MARKUP, max_size=25))
def test_every_shown_citation_is_the_next_number_and_precedes_its_marker(parse, words):
    """In code a number in brackets is no marker, so there is none here."""
    _, shown = parse(*(word for word in words if word[0] not in "`~"))
    announced = 0
    for place, part in enumerate(shown):
        if isinstance(part, Citation):
            announced += 1
            assert part.number == announced
            assert shown[place + 1] == f"[{announced}]"
        else:
            assert all(int(number) <= announced for number in re.findall(r"\[(\d)\]", part))


@settings(deadline=None)  # the first example loads the dictionary
@given(words=st.lists(MARKUP, max_size=25))
def test_markdown_finds_no_link_and_no_image_outside_code(parse, words):
    parser, _ = parse(*(word for word in words if word[0] not in "`~"))
    kinds = {token.type for block in MarkdownIt().parse(parser.text) for token in block.children or ()}
    assert not kinds & {"link_open", "image"}


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Urlop [3], delegacja [1], urlop [3].", "Urlop [1], delegacja [2], urlop [1]."),
        ("Tak [1, 2].", "Tak [1][2]."),
        ("Tak [2][1].", "Tak [1][2]."),
        ("Tak [1-3].", "Tak [1][2][3]."),
        ("Tak [3–1; 2].", "Tak [1][2][3]."),
        ("Tak [1,1].", "Tak [1]."),
    ],
)
def test_sources_are_numbered_by_first_use(parse, written, shown):
    assert parse(written)[0].text == shown


@pytest.mark.parametrize(
    ("written", "shown", "removed"),
    [
        ("Tak [9].", "Tak.", 1),
        ("Tak[0].", "Tak.", 1),
        ("Tak [9][1].", "Tak [1].", 1),
        ("Tak [1] [9], nie.", "Tak [1], nie.", 1),
        ("Tak [2-5].", "Tak [1][2].", 2),
        ("Tak [7, 8] i nie.", "Tak i nie.", 2),
    ],
)
def test_numbers_of_no_source_are_removed_with_their_space_and_counted(parse, written, shown, removed):
    parser, _ = parse(written)
    assert (parser.text, parser.removed) == (shown, removed)


@pytest.mark.parametrize(
    "text",
    [
        "Napisano [sic] w sekcji [MAIN].",
        "Element `tab[0]` i ``x[1] ` y``.",
        "```python\nx = tab[1]\n```\n",
        "~~~\n[1]\n~~~\n",
        "Ustawa z [2024] r. [dostęp 1 maja]",
        "Otwarty [nawias i ` apostrof\n",
    ],
)
def test_ordinary_brackets_and_code_stay(parse, text):
    parser, _ = parse(*text)
    assert parser.text == text
    assert not parser.citations


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Zob. [stronę](http://zle.pl/?q=1).", "Zob. stronę."),
        ("Zob. [1](http://zle.pl).", "Zob. [1]."),
        ("![wykres](http://zle.pl/p.png?d=tajne) Tak.", "wykres Tak."),
        ("![x](http://zle.pl/a_(b))", "![x] (http://zle.pl/a_(b))"),
        ("Uwaga![1]", "Uwaga![1]"),
        ("[1]: http://zle.pl", "[1] : http://zle.pl"),
        ("Adres <https://zle.pl>.", "Adres https://zle.pl."),
        ("Zgodnie z [1]: tak.", "Zgodnie z [1]: tak."),
        ("[a [b](http://zle.pl)](http://zle.pl)", "[a b] (http://zle.pl)"),
    ],
)
def test_links_and_images_become_plain_text(parse, written, shown):
    assert parse(written)[0].text == shown


def test_a_citation_comes_directly_before_its_first_marker(parse):
    _, shown = parse("Urlop wynosi 26 dni [2].")
    place = next(i for i, part in enumerate(shown) if isinstance(part, Citation))
    assert text_of(shown[:place]) == "Urlop wynosi 26 dni "
    assert shown[place + 1] == "[1]"


def test_text_before_a_marker_is_not_held_back(parse, passages):
    parser = CitationParser(passages)
    assert text_of(list(parser.feed("Urlop `x` wynosi"))) == "Urlop `x` wynosi"


def test_the_quote_supports_the_sentence_in_which_the_marker_stands(parse):
    parser, _ = parse("Są zasady. Pracownik składa wniosek [1]. Inne.")
    assert parser.citations[0].quote == "Wniosek składa pracownik."


def test_a_marker_after_the_full_stop_belongs_to_the_sentence_before(parse):
    parser, _ = parse("Urlop wynosi 20 dni. [1] Pracownik składa wniosek.")
    assert parser.citations[0].quote == "Urlop wynosi 20 dni."
