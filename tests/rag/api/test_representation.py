from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer

from rag.api.answers import AnswerSerializer
from rag.api.passages import SearchResultSerializer
from rag.api.representation import represented
from rag.types import Answer, SearchResult

SIMPLE: dict[Any, Any] = {str: "Zażółć “gęślą” \u2028", int: 7, float: 3, bool: True, date: date(2026, 11, 22)}
RESULTS = [(SearchResult, SearchResultSerializer), (Answer, AnswerSerializer)]


def filled(kind: Any, *, optional: bool) -> Any:
    """A value of the type with all its members, two of each in a list; what may be None is so without `optional`."""
    arguments = get_args(kind)
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{one.name: filled(hints[one.name], optional=optional) for one in fields(kind)})  # type: ignore[operator]
    if get_origin(kind) is Literal:
        return arguments[-1]
    if get_origin(kind) is tuple:
        return (filled(arguments[0], optional=optional),) * 2
    if get_origin(kind) is Mapping:
        return {"ą": filled(arguments[1], optional=optional)}
    if isinstance(kind, UnionType) or arguments:
        return filled(arguments[0], optional=optional) if optional or type(None) not in arguments else None
    return SIMPLE[kind]


@pytest.mark.parametrize("optional", [True, False])
@pytest.mark.parametrize(("kind", "serializer"), RESULTS)
def test_a_result_is_written_byte_for_byte_as_its_serializer_writes_it(
    kind: type[Any], serializer: type[serializers.Serializer[Any]], optional: bool
) -> None:
    value = filled(kind, optional=optional)
    written, expected = represented(value, serializer), serializer(value).data
    assert JSONRenderer().render(written) == JSONRenderer().render(expected)
    assert ("null" in JSONRenderer().render(written).decode()) is not optional
