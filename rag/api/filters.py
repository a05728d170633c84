"""What a search or a question is narrowed to, read from untrusted JSON or query parameters."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from rag.errors import InvalidFilter
from rag.types import Filters


class FiltersSerializer(serializers.Serializer[Any]):
    """All given filters must hold; of several values in one, any. An unknown one is refused."""

    collections = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Identifiers of collections."
    )
    media_types = serializers.ListField(child=serializers.CharField(), required=False)
    categories = serializers.ListField(child=serializers.CharField(), required=False)
    tags = serializers.ListField(child=serializers.CharField(), required=False)
    valid_on = serializers.DateField(required=False, help_text="In force on this day; today where not given.")
    include_expired = serializers.BooleanField(required=False, default=False)
    modified_from = serializers.DateField(required=False)
    modified_to = serializers.DateField(required=False)

    def to_internal_value(self, data: Any) -> Filters:
        if isinstance(data, Mapping) and (unknown := sorted(set(data) - set(self.fields))):
            raise InvalidFilter(
                _("Unknown filter: %(names)s.") % {"names": ", ".join(unknown)},
                remedy=_("Known filters: %(names)s.") % {"names": ", ".join(self.fields)},
            )
        valid = super().to_internal_value(data).items()
        values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in valid}
        return Filters(**values)
