import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ingestion.text.diacritics import fold, restorations
from ingestion.text.spelling import neighbours, slips, within_one_edit

LETTERS = "aąbcść"
WORDS = st.text(alphabet=LETTERS, min_size=1, max_size=8)


@st.composite
def edited(draw: st.DrawFn, edits: int) -> tuple[str, str]:
    """A word, and what so many typing errors made of it; they may undo each other."""
    word = other = draw(WORDS)
    for _ in range(edits):
        place, letter = draw(st.integers(0, len(other))), draw(st.sampled_from(LETTERS))
        before, after = other[:place], other[place:]
        inserted, deleted, swapped = before + letter + after, before + after[1:], before + after[1::-1] + after[2:]
        other = draw(st.sampled_from([inserted, deleted, swapped, before + letter + after[1:]]))
    return word, other


def distance(left: str, right: str) -> int:
    """Optimal string alignment, the textbook way."""
    rows = [[i + j if i * j == 0 else 0 for j in range(len(right) + 1)] for i in range(len(left) + 1)]
    for i in range(1, len(left) + 1):
        for j in range(1, len(right) + 1):
            cost = left[i - 1] != right[j - 1]
            rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + cost)
            if i > 1 and j > 1 and left[i - 1] == right[j - 2] and left[i - 2] == right[j - 1]:
                rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
    return rows[-1][-1]


@given(edited(edits=1) | edited(edits=2) | st.tuples(WORDS, WORDS))
@example(("abcd", "bacx"))  # a swap, and something else behind it
@example(("abcd", "bacd"))
@example(("abcd", "abdc"))
@example(("abc", "abcd"))
def test_one_edit_is_what_the_textbook_says(pair: tuple[str, str]) -> None:
    assert within_one_edit(*pair) == within_one_edit(*reversed(pair)) == (distance(*pair) <= 1)


@given(edited(edits=1) | edited(edits=2) | st.tuples(WORDS, WORDS))
@example(("straße", "strase"))
@example(("поштова", "поштава"))
@example(("αθήνα", "αθήναι"))
def test_the_neighbours_of_a_word_are_those_within_one_edit(pair: tuple[str, str]) -> None:
    one, other = map(fold, pair)
    assert (other in neighbours(one)) == (distance(one, other) <= 1)


@pytest.mark.parametrize(("word", "plain"), [("Żółw", "Zolw"), ("ŁÓDŹ", "LODZ"), ("café", "cafe"), ("abc", "abc")])
def test_folding_takes_every_polish_diacritic(word: str, plain: str) -> None:
    assert fold(word) == plain


@pytest.mark.parametrize("word", ["zabezpieczyć", "żółw", "okolicznościowego", "świętość"])
def test_diacritics_come_back(word: str) -> None:
    assert word in set(restorations(fold(word)))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("wodomeirz", "wodomierz"), ("komurka", "komórka"), ("przełonczyć", "przełączyć"), ("szypko", "szybko"),
     ("urlopp", "urlop"), ("żucić", "rzucić"), ("hleb", "chleb")],
)  # fmt: skip
def test_slips_are_swaps_doubled_letters_and_what_sounds_alike(typed: str, meant: str) -> None:
    assert meant in slips(typed)


def test_a_word_is_no_slip_of_itself_nor_of_what_has_another_letter() -> None:
    assert not {"okno", "akno", "okna", "oknno"} & set(slips("okno"))
