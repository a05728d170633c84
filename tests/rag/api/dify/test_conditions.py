"""Whatever Dify's conditions say, a search is narrowed by them or refused: none is left out in silence."""

from dataclasses import fields

import pytest

from rag.api.dify.conditions import OPERATORS, MetadataCondition, filters_of
from rag.errors import InvalidFilter
from rag.search.retrieval.filter_rules import filter_problems
from rag.types import Filters

VALUES = ["a", "2026-03-31", "0001-01-01", "9999-12-31", 5, 2.5, "inf", "nan", ["a", "b"], ["a"], [], None, True, {}]


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("name", ["category", "tags", "modified", "rok"])
def test_a_condition_narrows_or_is_refused(name: str, operator: str) -> None:
    for value in VALUES:
        condition = MetadataCondition(name=name, operator=operator, value=value)
        try:
            filters = filters_of([condition])
        except InvalidFilter:
            continue
        assert [one.name for one in fields(filters) if getattr(filters, one.name) != getattr(Filters(), one.name)]
        assert filter_problems(filters) == {}


def test_a_refusal_says_what_is_understood() -> None:
    with pytest.raises(InvalidFilter, match="category is not") as refused:
        filters_of([MetadataCondition(name="category", operator="is not", value="a")])
    assert "media_type" in str(refused.value)
