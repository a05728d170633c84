"""Worlds of everyday life, by the words that are theirs alone."""

import pytest

from rag.answering.judgement.worlds import is_outside, worlds


@pytest.mark.parametrize(
    ("asked", "told", "outside"),
    [
        ("przepis pieróg", "przepis prawo", True),
        ("przepis pieróg", "przepis pieróg", False),
        ("przepis pieróg", "stołówka posiłek", False),
        ("przepis prawo", "wniosek", False),
        ("piwo mecz", "alkoholowy zezwolenie", False),
    ],
)
def test_a_text_answers_from_within_the_world_asked_about(asked: str, told: str, outside: bool) -> None:
    assert is_outside(frozenset(asked.split()), frozenset(told.split())) is outside


def test_every_world_has_words_and_none_is_of_them_and_of_what_merely_treats_of_them() -> None:
    assert len(worlds()) > 10
    for world in worlds():
        assert world.words
        assert not world.words & world.treated
