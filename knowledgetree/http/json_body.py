"""JSON from anybody: bounded in size and depth before anything looks at it."""

import io
from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser

MOST_BYTES = 1_000_000  # a question with its filters has a few thousand
MOST_DEEP = 50


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


def _inside(value: dict[str, Any] | list[Any]) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value


def _too_deep() -> ParseError:
    return ParseError(_("The JSON is nested more than %(n)d levels deep.") % {"n": MOST_DEEP})
