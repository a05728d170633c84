"""A source in JSON, checked by the rules of the admin's form."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from ingestion.api.uploads import VisibleCollectionField
from ingestion.models import Source
from ingestion.models.viewers import is_superuser
from ingestion.services.sources import is_settled, keep_secret, save_source, source_troubles
from ingestion.services.syncing.connecting import KEY, place_of
from ingestion.sources import FeedFields
from ingestion.sources.connectors import KINDS, Setting, server_of
from knowledgetree.http.json_body import STORABLE_FIELDS

_PLACE = ("collection", "kind", "location")
_DECIDING = ("kind", "location", "rhythm", "schedule", "networks")


class FeedFieldsSerializer(serializers.Serializer[Any]):
    """Where things stand in the reply, as paths of keys with dots; `items` "": the whole reply is the list."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        usual = FeedFields()
        return {
            name: serializers.CharField(default=getattr(usual, name), allow_blank=True, max_length=100)
            for name in FeedFields.__dataclass_fields__
        }


class FeedOptionsSerializer(serializers.Serializer[Any]):
    """Options of a feed alone. `complete`: what it does not list any more is gone; `full_text`: the page of each
    entry is read; `attachments`: what is attached to entries too; `key`: the name of one of the server's FEED_KEYS.
    """

    fields_ = FeedFieldsSerializer(required=False)
    complete = serializers.BooleanField(default=False)
    full_text = serializers.BooleanField(default=False)
    attachments = serializers.BooleanField(default=False)
    key = serializers.CharField(default="", allow_blank=True, max_length=100)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        found = super().get_fields()
        return {"fields": found.pop("fields_"), **found}  # `fields` itself is a serializer's own name


class ConnectionSerializer(serializers.Serializer[Any]):
    """What a connector needs of its place, each kind its own (docs/connectors.md); `key`: the name of one of the
    server's SOURCE_SECRETS.
    """

    key = serializers.CharField(default="", allow_blank=True, max_length=100)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        settings = {setting.name: setting for kind in KINDS.values() for setting in kind.settings}
        return {**super().get_fields(), **{name: _setting_field(setting) for name, setting in settings.items()}}


def _setting_field(setting: Setting) -> serializers.Field[Any, Any, Any, Any]:
    if setting.choices:
        return serializers.ChoiceField(
            required=False, allow_blank=True, choices=[value for value, _ in setting.choices]
        )
    return serializers.CharField(required=False, allow_blank=True, max_length=2000, trim_whitespace=True)


class SourceSerializer(serializers.ModelSerializer[Source]):
    """`last_result` has numbers by outcome: new, changed, restored, unchanged, gone, failed, skipped. `secret` is the
    password or key of a connector's account; it is stored encrypted and never given out, `has_secret` says that it is.
    """

    serializer_field_mapping = STORABLE_FIELDS
    collection = VisibleCollectionField()
    options = FeedOptionsSerializer(required=False, help_text="Of a feed alone; others have none.")
    connection = ConnectionSerializer(required=False, help_text="Of a connector alone; others have none.")
    secret = serializers.CharField(write_only=True, required=False, allow_blank=True, max_length=10_000)
    has_secret = serializers.SerializerMethodField()

    class Meta:
        model = Source
        fields = [
            "id", "collection", "kind", "name", "location", "include", "exclude", "max_pages", "max_depth", "delay",
            "obey_robots", "options", "connection", "secret", "has_secret", "networks", "category", "tags", "language",
            "mirror_rights", "gone_policy", "rhythm", "schedule", "paused", "last_synced", "last_result",
        ]  # fmt: skip
        read_only_fields = ["id", "paused", "last_synced", "last_result"]

    def get_has_secret(self, source: Source) -> bool:
        return bool(source.encrypted_secret)

    def to_representation(self, source: Source) -> dict[str, Any]:
        """A connector has its settings under `connection`, where other kinds have nothing."""
        source.connection = source.options if source.kind in KINDS else {}  # type: ignore[attr-defined]
        return super().to_representation(source)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        source = self.instance or Source()
        connection = attrs.pop("connection", {})
        wanted = Source(**{name: attrs.get(name, getattr(source, name)) for name in _DECIDING})
        moved = [name for name in _PLACE if name in attrs and source.pk and attrs[name] != getattr(source, name)]
        if moved and is_settled(source):
            text = _("Documents came from here already. For another place add a new source.")
            raise serializers.ValidationError(dict.fromkeys(moved, text), code="settled")
        if wanted.kind in KINDS:
            attrs["options"] = {**_settings(source), **connection}
        elif "options" in attrs or moved:
            attrs["options"] = _merged(source.options, attrs["options"]) if wanted.kind == Source.Kind.FEED else {}
        wanted.options = attrs.get("options", source.options)
        elsewhere = source.pk is None or bool(moved) or wanted.kind in KINDS
        if troubles := source_troubles(wanted, new_place=elsewhere) | self._refusals(source, wanted, attrs):
            raise serializers.ValidationError(troubles)
        return attrs

    def _refusals(self, source: Source, wanted: Source, attrs: dict[str, Any]) -> dict[str, str]:
        """Networks are an administrator's to allow, and they and secrets are for the server they were given for."""
        if wanted.kind not in KINDS:
            return {}
        alone = not is_superuser(self.context["request"].user)
        if alone and attrs.get("networks", source.networks) != source.networks:
            return {"networks": _("Administrators alone allow private networks.")}
        if source.pk is None or source.kind not in KINDS:
            return {}
        if server_of(source.kind, place_of(source)) == server_of(wanted.kind, place_of(wanted)):
            return {}
        if alone and wanted.networks:
            return {"location": _("An administrator allowed the private networks for another server.")}
        if source.encrypted_secret and "secret" not in attrs:
            return {"secret": _("The stored one is for another server. Enter that of this one, or remove it.")}
        return {}

    def create(self, validated_data: dict[str, Any]) -> Source:
        secret = validated_data.pop("secret", "")
        source = Source(**validated_data)
        keep_secret(source, secret)
        return save_source(source=source)

    def update(self, instance: Source, validated_data: dict[str, Any]) -> Source:
        if "secret" in validated_data:
            keep_secret(instance, validated_data.pop("secret"))
        for name, value in validated_data.items():
            setattr(instance, name, value)
        return save_source(source=instance)


def _settings(source: Source) -> dict[str, Any]:
    return source.options if source.kind in KINDS else {KEY: ""}


def _merged(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """A change names only what it changes."""
    return {**old, **new, "fields": {**old.get("fields", {}), **new.get("fields", {})}}
