"""Whether a text says a word of the question, by other words too."""

from types import SimpleNamespace
from typing import Any

import pytest

from rag.answering.judgement.saying import names
from rag.question import SubstituteWords


def term(typed: str, lemma: str) -> Any:
    return SimpleNamespace(typed=typed, readings=[SimpleNamespace(form=typed, lemma=lemma)])


@pytest.mark.parametrize(
    ("typed", "others", "named"),
    [
        (("l4",), ("zwolnienie",), True),
        (("pieniądze", "l4"), ("zasiłek", "chorobowy"), True),
        (("pieniądze", "l4"), ("zasiłek",), False),
        (("pieniądze", "l4"), ("pieniądz", "chory"), False),
        (("pieniądze",), ("zasiłek", "chorobowy"), False),
    ],
)
def test_a_name_is_said_by_what_stands_for_it_whole(
    typed: tuple[str, ...], others: tuple[str, ...], named: bool
) -> None:
    money, leave = term("pieniądze", "pieniądz"), term("l4", "l4")
    background = SimpleNamespace(others=[SubstituteWords(typed=typed, lemmas=others, weight=0.5)])
    words: Any = SimpleNamespace(
        query=SimpleNamespace(terms=[money, leave]), question=SimpleNamespace(background=background)
    )
    told = frozenset(("zasiłek", "chorobowy", "zwolnienie", "pieniądz", "chory"))

    assert names(words, leave, told) is named
