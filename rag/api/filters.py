"""What a search or a question is narrowed to, read from untrusted JSON or query parameters."""

import json
from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from knowledgetree.http.json_body import check_depth
from rag.errors import InvalidFilter
from rag.search.retrieval.filter_rules import filter_problems
from rag.types import Filters

AS_OF: Final = "A day, month or year, as 2024-03-05, 2024-03 or 2024: what was or will be in force then."


@extend_schema_field(OpenApiTypes.OBJECT)
class MetadataField(serializers.Field[Any, Any, Any, Any]):
    """A JSON object; in an address, written as text."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            return data
        try:
            value = json.loads(data)
            check_depth(value)
        except (ValueError, RecursionError) as error:
            raise serializers.ValidationError(_("Not valid JSON."), code="invalid") from error
        return value


def texts(help_text: str) -> serializers.ListField:
    return serializers.ListField(child=serializers.CharField(), required=False, help_text=help_text)


class FiltersSerializer(serializers.Serializer[Any]):
    """All given filters must hold; of several values in one, any, of tags all. An unknown filter is refused."""

    collections = texts("Identifiers of collections.")
    sources = texts("Names or numbers of sources.")
    media_types = texts("As `text/html`.")
    languages = texts("As `pl`.")
    categories = texts("Categories of documents.")
    tags = texts("A document must have all of them.")
    versions = texts("Versions of documents.")
    valid_on = serializers.DateField(required=False, help_text="In force on this day; today where not given.")
    include_expired = serializers.BooleanField(required=False, default=False)
    modified_from = serializers.DateField(required=False, help_text="Last changed on this day or later.")
    modified_to = serializers.DateField(required=False, help_text="Last changed on this day or earlier.")
    metadata = MetadataField(required=False, help_text="JSON object that the document's metadata must contain.")

    def to_internal_value(self, data: Any) -> Filters:
        if isinstance(data, Mapping) and (unknown := sorted(set(data) - set(self.fields))):
            raise InvalidFilter(
                _("Unknown filter: %(names)s.") % {"names": ", ".join(unknown)},
                remedy=_("Known filters: %(names)s.") % {"names": ", ".join(self.fields)},
            )
        valid = super().to_internal_value(data).items()
        values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in valid}
        filters = Filters(**values)
        if problems := filter_problems(filters):
            raise serializers.ValidationError({name: [problem] for name, problem in problems.items()})
        return filters
