import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.answering.synthesis.refusal import REFUSAL, RefusalFilter

WORDS = st.sampled_from([REFUSAL, "NIE_", "NIE", "ZNALEZIONO", "_", "*", " ", "\n", "Tak [1].", "N"])


def filtered(*pieces: str) -> tuple[str, bool]:
    refusal = RefusalFilter()
    shown = "".join(refusal.feed(piece) for piece in pieces)
    return shown + refusal.finish(), refusal.seen


@settings(deadline=None)
@given(words=st.lists(WORDS, max_size=8))
def test_the_result_does_not_depend_on_how_the_text_was_cut(words):
    text = "".join(words)
    assert filtered(text) == filtered(*text)


@settings(deadline=None)
@given(words=st.lists(WORDS, max_size=8))
def test_text_without_the_refusal_passes_unchanged(words):
    text = "".join(words)
    if REFUSAL not in text:
        assert filtered(*words) == (text, False)


@pytest.mark.parametrize("text", [REFUSAL, f"**{REFUSAL}**", f"\n`{REFUSAL}`.", f"{REFUSAL}\n\nŹródła milczą."])
def test_nothing_of_a_refusal_reaches_the_reader(text):
    assert filtered(*text) == ("", True)


def test_a_refusal_after_text_is_taken_out():
    assert filtered("Brak danych. ", "NIE_ZNAL", "EZIONO") == ("Brak danych. ", True)


def test_the_beginning_of_an_answer_is_not_held_back():
    assert RefusalFilter().feed("Nie, urlop") == "Nie, urlop"
