"""Results in JSON as their serializers describe them; fields are looked at once a process, not once a passage.

The serializers stay the only description: the OpenAPI schema and the order of the members come from them.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from rest_framework import serializers

_Write = Callable[[Any], Any]
_PLAIN: dict[type[Any], _Write] = {
    serializers.BooleanField: bool,
    serializers.CharField: str,
    serializers.FloatField: float,
    serializers.IntegerField: int,
}


def represented(value: Any, serializer: type[serializers.Serializer[Any]]) -> dict[str, Any]:
    """What `serializer(value).data` is for a dataclass, in a tenth of the time."""
    written: dict[str, Any] = _written_by(serializer)(value)
    return written


@cache
def _written_by(serializer: type[serializers.Serializer[Any]]) -> _Write:
    return _of_object(serializer())


def _of_field(field: Any) -> _Write:
    if isinstance(field, serializers.Serializer):
        return _of_object(field)
    if isinstance(field, serializers.ListSerializer | serializers.ListField):
        return _of_list(_of_field(field.child))
    if isinstance(field, serializers.DictField):
        return _of_mapping(_of_field(field.child))
    written: _Write = _PLAIN.get(type(field), field.to_representation)
    return written


def _of_object(serializer: serializers.Serializer[Any]) -> _Write:
    members = [(name, _of_field(field)) for name, field in serializer.fields.items()]

    def write(value: Any) -> dict[str, Any]:
        given = [(name, getattr(value, name), member) for name, member in members]
        return {name: None if item is None else member(item) for name, item, member in given}

    return write


def _of_list(member: _Write) -> _Write:
    return lambda values: [member(value) for value in values]


def _of_mapping(member: _Write) -> _Write:
    return lambda values: {str(name): member(value) for name, value in values.items()}
