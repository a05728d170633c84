"""Questions made worse, always in the same way."""

import pytest

from rag.evaluation.datasets.degradation import neighbours, with_typo, without_diacritics

QUESTION = "Ile dni urlopu wypoczynkowego przysługuje żonie?"


def test_diacritics_go_and_nothing_else() -> None:
    assert without_diacritics("Zażółć gęślą jaźń, ŁÓDŹ 2026?") == "Zazolc gesla jazn, LODZ 2026?"


def test_a_typo_is_the_same_for_the_same_seed_and_differs_between_seeds() -> None:
    assert with_typo(QUESTION, seed="0:q1") == with_typo(QUESTION, seed="0:q1")
    assert len({with_typo(QUESTION, seed=f"0:q{n}") for n in range(50)}) > 20


def test_exactly_one_long_word_gets_exactly_one_slip() -> None:
    for n in range(300):
        before, after = QUESTION.split(), with_typo(QUESTION, seed=str(n)).split()
        changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
        assert len(changed) == 1
        old, new = changed[0]
        assert len(old.strip("?")) >= 5
        assert old[0] == new[0]
        assert abs(len(old) - len(new)) <= 1


def test_every_kind_of_slip_occurs() -> None:
    slips = {with_typo("kotek", seed=str(n)) for n in range(300)}
    assert "kotk" in slips or "kote" in slips, "a letter dropped"
    assert "kottek" in slips, "a letter doubled"
    assert "ktoek" in slips, "two letters swapped"
    assert "kitek" in slips, "a neighbour on the keyboard"
    assert "kotek" not in slips


def test_short_words_and_numbers_are_left_alone() -> None:
    assert with_typo("Ile dni w 2026123?", seed="1") == "Ile dni w 2026123?"


@pytest.mark.parametrize(("letter", "near"), [("g", "ftyhvb"), ("G", "FTYHVB"), ("ł", "kopm"), ("3", "")])
def test_neighbours_are_those_of_the_keyboard(letter: str, near: str) -> None:
    assert set(neighbours(letter)) == set(near) or set(neighbours(letter)) <= set(near)
