"""Where a line must not break."""

from rag.chat.rendering.markdown import answer_html
from rag.chat.rendering.typography import typeset


def test_numbers_and_words_of_one_letter_stay_with_what_follows() -> None:
    shown = answer_html("Wydano 2 015 172,38 zł w gminie i z budżetu (w 2024 r.). A to `i 1 000`.")
    assert "2\u00a0015\u00a0172,38 zł w\u00a0gminie i\u00a0z\u00a0budżetu (w\u00a02024 r.). A\u00a0to" in shown
    assert "<code>i 1 000</code>" in shown


def test_only_text_is_touched() -> None:
    assert typeset('<a title="i w 1 000">druk</a>') == '<a title="i w 1 000">druk</a>'
    assert typeset("tekst 12 3456 i") == "tekst 12 3456 i"
