"""The narrowing of lists by query parameters. An unknown parameter is an error, never silently ignored."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from ingestion.models import Document, Job

PAGING = ("page", "page_size")


class DocumentFiltersSerializer(serializers.Serializer[Any]):
    collection = serializers.SlugField(required=False, help_text="Identifier of a collection.")
    status = serializers.ChoiceField(Document.Status.choices, required=False)
    tag = serializers.CharField(required=False)
    category = serializers.CharField(required=False)
    warnings = serializers.BooleanField(required=False, help_text="Whether something of the file was not read.")
    search = serializers.CharField(required=False, help_text="Part of the title or of the URI.")


class JobFiltersSerializer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(Job.Status.choices, required=False)
    document = serializers.IntegerField(required=False, help_text="Number of a document.")


def read_filters(kind: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """The valid parameters of the request; raises ValidationError that names the known ones."""
    refuse_unknown(request.query_params, known=[*kind().fields, *PAGING])
    given = kind(data=request.query_params)
    given.is_valid(raise_exception=True)
    return dict(given.validated_data)


def refuse_unknown(given: Iterable[str], *, known: list[str]) -> None:
    if unknown := sorted(set(given) - set(known)):
        message = _("Unknown filter. Known: %(known)s.") % {"known": ", ".join(known)}
        raise serializers.ValidationError({name: [message] for name in unknown}, code="unknown_filter")
