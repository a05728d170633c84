import numpy as np

from rag.insight.analytics.likeness import clusters


def test_what_is_alike_on_average_is_one_group() -> None:
    alike = np.array([[1, 0.9, 0.1, 0], [0.9, 1, 0.2, 0], [0.1, 0.2, 1, 0.8], [0, 0, 0.8, 1]])
    assert clusters(alike, least=0.5) == [[0, 1], [2, 3]]


def test_a_chain_does_not_hold_together_what_is_not_alike() -> None:
    """By hand: 0 and 1 join at 0.7; 2 is then (0 + 0.6) / 2 = 0.3 from them, although it is 0.6 from 1."""
    chain = np.array([[1, 0.7, 0], [0.7, 1, 0.6], [0, 0.6, 1]])
    assert clusters(chain, least=0.5) == [[0, 1], [2]]
    assert clusters(chain, least=0.29) == [[0, 1, 2]]


def test_a_larger_group_weighs_by_its_members() -> None:
    """0, 1, 2 are one; 3 is (0.9 + 0.3 + 0.3) / 3 = 0.5 from them, whatever the order in which they joined."""
    alike = np.array([[1, 1, 1, 0.9], [1, 1, 1, 0.3], [1, 1, 1, 0.3], [0.9, 0.3, 0.3, 1]])
    assert clusters(alike, least=0.49) == [[0, 1, 2, 3]]
    assert clusters(alike, least=0.51) == [[0, 1, 2], [3]]


def test_alone_and_exactly_as_alike_as_the_limit_stay_apart() -> None:
    assert clusters(np.eye(1), least=0.5) == [[0]]
    assert clusters(np.array([[1, 0.5], [0.5, 1]]), least=0.5) == [[0], [1]]


def test_the_same_twice_is_one_group_also_where_a_cosine_is_rounded_above_one() -> None:
    assert clusters(np.full((2, 2), 1 + 1e-15), least=0.5) == [[0, 1]]
