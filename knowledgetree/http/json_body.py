"""JSON from anybody: bounded in size and depth before anything looks at it."""

import io
import math
from collections.abc import Mapping
from typing import IO, Any

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser

MOST_BYTES = 1_000_000  # a question with its filters has a few thousand
MOST_DEEP = 50


class FiniteFloatField(serializers.FloatField):
    """A number that JSON can say again: Python takes "nan" and "inf" for numbers too."""

    def to_internal_value(self, data: Any) -> float:
        value = super().to_internal_value(data)
        return value if math.isfinite(value) else self.fail("invalid")


class StorableJSONField(serializers.JSONField):
    """JSON that PostgreSQL keeps: no null character, no half of a character, no number without end."""

    def to_internal_value(self, data: Any) -> Any:
        value = super().to_internal_value(data)
        check_depth(value)
        return value if _is_storable(value) else self.fail("invalid")


STORABLE_FIELDS = {
    **serializers.ModelSerializer.serializer_field_mapping,
    models.FloatField: FiniteFloatField,
    models.JSONField: StorableJSONField,
}
"""The `serializer_field_mapping` of what is written by programs."""


class BodyTooLarge(APIException):
    status_code = 413
    default_code = "body_too_large"
    default_detail = gettext_lazy("The body of the request is too large.")


class BoundedJSONParser(JSONParser):
    """Raises BodyTooLarge beyond 1 MB, of which no more is read, and ParseError beyond 50 levels."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        body = stream.read(MOST_BYTES + 1)
        if len(body) > MOST_BYTES:
            raise BodyTooLarge
        try:
            value = super().parse(io.BytesIO(body), media_type, parser_context)
        except RecursionError as error:
            raise _too_deep() from error
        check_depth(value)
        return value


def check_depth(value: Any) -> None:
    """Raises ParseError: what is nested deeper would exhaust the stack of whatever walks through it."""
    level = [value]
    for _depth in range(MOST_DEEP):
        level = [inner for one in level if isinstance(one, dict | list) for inner in _inside(one)]
    if level:
        raise _too_deep()


def _is_storable(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_is_storable(key) and _is_storable(inner) for key, inner in value.items())
    if isinstance(value, list):
        return all(map(_is_storable, value))
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, str) or ("\x00" not in value and not any("\ud800" <= c <= "\udfff" for c in value))


def _inside(value: dict[str, Any] | list[Any]) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value


def _too_deep() -> ParseError:
    return ParseError(_("The JSON is nested more than %(n)d levels deep.") % {"n": MOST_DEEP})
