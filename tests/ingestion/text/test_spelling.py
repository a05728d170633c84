import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.text.diacritics import fold, restorations
from ingestion.text.spelling import deletions, within_one_edit

WORDS = st.text(alphabet="aąbcść", min_size=1, max_size=8)


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


@given(WORDS, WORDS)
def test_one_edit_is_what_the_textbook_says(left: str, right: str) -> None:
    assert within_one_edit(left, right) == (distance(left, right) <= 1)


@given(WORDS, WORDS)
def test_words_one_edit_apart_share_a_deletion(left: str, right: str) -> None:
    if distance(left, right) <= 1:
        assert set(deletions(left)) & set(deletions(right))


@pytest.mark.parametrize(("word", "plain"), [("Żółw", "Zolw"), ("ŁÓDŹ", "LODZ"), ("café", "cafe"), ("abc", "abc")])
def test_folding_takes_every_polish_diacritic(word: str, plain: str) -> None:
    assert fold(word) == plain


@pytest.mark.parametrize("word", ["zabezpieczyć", "żółw", "okolicznościowego", "świętość"])
def test_diacritics_come_back(word: str) -> None:
    assert word in set(restorations(fold(word), most=4))
