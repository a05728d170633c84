"""A source in JSON, checked by the rules of the admin's form."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from ingestion.api.uploads import VisibleCollectionField
from ingestion.models import Source
from ingestion.services.sources import is_settled, save_source, source_troubles
from ingestion.sources import FeedFields
from knowledgetree.http.json_body import STORABLE_FIELDS

_PLACE = ("collection", "kind", "location")


class FeedFieldsSerializer(serializers.Serializer[Any]):
    """Where things stand in the reply, as paths of keys with dots; `items` "": the whole reply is the list."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        usual = FeedFields()
        return {
            name: serializers.CharField(default=getattr(usual, name), allow_blank=True, max_length=100)
            for name in FeedFields.__dataclass_fields__
        }


class FeedOptionsSerializer(serializers.Serializer[Any]):
    """Options of a feed alone. `complete`: what it does not list any more is gone; `key`: the name of one of the
    server's FEED_KEYS.
    """

    fields_ = FeedFieldsSerializer(required=False)
    complete = serializers.BooleanField(default=False)
    key = serializers.CharField(default="", allow_blank=True, max_length=100)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        found = super().get_fields()
        return {"fields": found.pop("fields_"), **found}  # `fields` itself is a serializer's own name


class SourceSerializer(serializers.ModelSerializer[Source]):
    """`last_result` has numbers by outcome: new, changed, restored, unchanged, gone, failed, skipped."""

    serializer_field_mapping = STORABLE_FIELDS
    collection = VisibleCollectionField()
    options = FeedOptionsSerializer(required=False, help_text="Of a feed alone; others have none.")

    class Meta:
        model = Source
        fields = [
            "id", "collection", "kind", "name", "location", "include", "exclude", "max_pages", "max_depth", "delay",
            "obey_robots", "options", "category", "tags", "language", "gone_policy", "rhythm", "schedule",
            "last_synced", "last_result",
        ]  # fmt: skip
        read_only_fields = ["id", "last_synced", "last_result"]

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        source = self.instance or Source()
        place = {
            name: attrs.get(name, getattr(source, name, "")) for name in ("kind", "location", "rhythm", "schedule")
        }
        moved = [name for name in _PLACE if name in attrs and source.pk and attrs[name] != getattr(source, name)]
        if moved and is_settled(source):
            text = _("Documents came from here already. For another place add a new source.")
            raise serializers.ValidationError(dict.fromkeys(moved, text), code="settled")
        if "options" in attrs:
            attrs["options"] = _merged(source.options, attrs["options"]) if place["kind"] == Source.Kind.FEED else {}
        key = attrs.get("options", source.options).get("key", "")
        if troubles := source_troubles(**place, key=key, new_place=source.pk is None or bool(moved)):
            raise serializers.ValidationError(troubles)
        return attrs

    def create(self, validated_data: dict[str, Any]) -> Source:
        return save_source(source=Source(**validated_data))

    def update(self, instance: Source, validated_data: dict[str, Any]) -> Source:
        for name, value in validated_data.items():
            setattr(instance, name, value)
        return save_source(source=instance)


def _merged(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """A change names only what it changes."""
    return {**old, **new, "fields": {**old.get("fields", {}), **new.get("fields", {})}}
