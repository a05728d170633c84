"""JSON from anybody: bounded in size and depth before anything looks at it."""

import io
import math
import re
from collections.abc import Iterator, Mapping
from typing import IO, Any

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser

MOST_BYTES = 1_000_000  # a question with its filters has a few thousand
MOST_DEEP = 50


_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
"""The escape of a surrogate. One without its other half is no text: it can neither be stored nor be said again."""


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
    """Raises BodyTooLarge beyond 1 MB, of which no more is read, and ParseError beyond 50 levels and for what is no
    text.
    """

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
        if _HALF.search(body) and not _is_text(value):
            raise ParseError(_("The JSON has half of a character."))
        return value


def check_depth(value: Any) -> None:
    """Raises ParseError: what is nested deeper would exhaust the stack of whatever walks through it."""
    level = [value]
    for _depth in range(MOST_DEEP):
        level = [inner for one in level if isinstance(one, dict | list) for inner in _inside(one)]
    if level:
        raise _too_deep()


def _is_text(value: Any) -> bool:
    return all(not isinstance(one, str) or not any("\ud800" <= c <= "\udfff" for c in one) for one in _all_in(value))


def _is_storable(value: Any) -> bool:
    finite = all(not isinstance(one, float) or math.isfinite(one) for one in _all_in(value))
    return finite and _is_text(value) and not any(isinstance(one, str) and "\x00" in one for one in _all_in(value))


def _all_in(value: Any) -> Iterator[Any]:
    """The value, its keys and all that is in it."""
    yield value
    if isinstance(value, dict):
        yield from value
    if isinstance(value, dict | list):
        for inner in _inside(value):
            yield from _all_in(inner)


def _inside(value: dict[str, Any] | list[Any]) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value


def _too_deep() -> ParseError:
    return ParseError(_("The JSON is nested more than %(n)d levels deep.") % {"n": MOST_DEEP})
