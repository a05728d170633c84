import pytest

from rag.types import Explanation
from rag.types.replacing import replaced


def test_the_fields_named_are_changed_in_a_new_value() -> None:
    before = Explanation(lexical_rank=3, variants=("a",))
    after = replaced(before, lexical_rank=1)
    assert after == Explanation(lexical_rank=1, variants=("a",))
    assert before.lexical_rank == 3


def test_an_unknown_field_is_an_error() -> None:
    with pytest.raises(AttributeError):
        replaced(Explanation(), rang=1)
