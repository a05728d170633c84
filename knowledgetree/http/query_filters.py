"""The narrowing of lists by query parameters. An unknown name is an error, never silently ignored."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

PAGING = ("page", "page_size")


def read_filters(kind: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """The valid parameters of the request; raises ValidationError that names the known ones."""
    known = [*kind().fields, *PAGING]
    refuse_unknown(
        request.query_params, known=known, said=_("Unknown filter. Known: %(known)s."), code="unknown_filter"
    )
    # Partial, for the framework takes a box that is not in a form for one that was left empty: false, not "not asked".
    given = kind(data=request.query_params, partial=True)
    given.is_valid(raise_exception=True)
    return dict(given.validated_data)


def refuse_unknown(given: Iterable[str], *, known: Iterable[str], said: str, code: str) -> None:
    """Raises ValidationError, which says it of each name that is not `known`."""
    if unknown := sorted(set(given) - set(known)):
        message = said % {"known": ", ".join(known)}
        raise serializers.ValidationError({name: [message] for name in unknown}, code=code)
