"""What a rate allows, counted in the database."""

from typing import Any
from uuid import uuid4

import pytest

from knowledgetree.http.allowances import Allowances, DatabaseAllowances, spending_of


class AllowancesContract:
    """Each implementation passes these."""

    @pytest.fixture
    def allowances(self) -> Allowances:
        raise NotImplementedError

    def test_so_many_are_let_through_and_the_next_is_told_how_long_to_wait(self, allowances: Allowances) -> None:
        spending = spending_of(uuid4().hex, most=2, seconds=3600)
        assert [allowances.claim(spending) for _ in range(2)] == [0, 0]
        assert 1700 < allowances.claim(spending) <= 1800

    def test_what_is_refused_does_not_count(self, allowances: Allowances) -> None:
        spending = spending_of(uuid4().hex, most=1, seconds=3600)
        allowances.claim(spending)
        first, second = allowances.claim(spending), allowances.claim(spending)
        assert second <= first <= 3600

    def test_what_is_given_back_may_be_spent_again(self, allowances: Allowances) -> None:
        spending = spending_of(uuid4().hex, most=1, seconds=3600)
        assert allowances.claim(spending) == 0
        allowances.give_back(spending)
        assert allowances.claim(spending) == 0
        assert allowances.claim(spending) > 0

    def test_it_is_earned_again_with_time(self, allowances: Allowances) -> None:
        spending = spending_of(uuid4().hex, most=1000, seconds=1)
        assert all(allowances.claim(spending) <= 0.001 for _ in range(2000))

    def test_others_spend_their_own(self, allowances: Allowances) -> None:
        one, other = (spending_of(uuid4().hex, most=1, seconds=3600) for _ in range(2))
        assert (allowances.claim(one), allowances.claim(other)) == (0, 0)


class TestInTheDatabase(AllowancesContract):
    @pytest.fixture
    def allowances(self, db: Any) -> Allowances:
        return DatabaseAllowances()
