"""What belongs to a collection, or to all of them."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied

from ingestion.api.uploads import VisibleCollectionField
from ingestion.errors import IngestionError
from ingestion.models import Collection
from ingestion.models.viewers import Viewer
from ingestion.selectors import may_write_for
from ingestion.services.synonyms import searchable_phrase
from knowledgetree.http.json_body import STORABLE_FIELDS


class BelongingSerializer(serializers.ModelSerializer[Any]):
    """Raises PermissionDenied where what is written holds in more collections than its writer's key is for."""

    serializer_field_mapping = STORABLE_FIELDS
    collection = VisibleCollectionField(allow_null=True, default=None, help_text="Identifier; null: every collection.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        viewer = self.context["request"].user
        if self.instance is not None:
            refuse_beyond(viewer, self.instance.collection)
        if "collection" in attrs:
            refuse_beyond(viewer, attrs["collection"])
        return attrs


def refuse_beyond(viewer: Viewer, collection: Collection | None) -> None:
    if not may_write_for(viewer, collection):
        raise PermissionDenied(_("This API key is for chosen collections alone."))


def check_searchable(text: str) -> None:
    """A validator: raises ValidationError for what no question finds."""
    try:
        searchable_phrase(text)
    except IngestionError as error:
        raise serializers.ValidationError(error.message, code="not_searchable") from error
