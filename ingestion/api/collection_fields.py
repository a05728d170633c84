"""A collection in JSON: what readers see of it, and what editors set, checked by the rules of the admin's form."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework import serializers

from ingestion.models import Collection
from ingestion.models.viewers import Viewer
from ingestion.services.collections import collection_troubles, save_collection
from knowledgetree.http.json_body import STORABLE_FIELDS
from knowledgetree.http.visible_rows import VisibleRowField


def _all_groups(viewer: Viewer) -> QuerySet[Group]:
    """Whoever sets up a collection chooses among all, as in the admin."""
    return Group.objects.all()


class CollectionSerializer(serializers.ModelSerializer[Collection]):
    documents = serializers.IntegerField(
        source="document_count", read_only=True, help_text="Documents that the viewer can open."
    )

    class Meta:
        model = Collection
        fields = ["slug", "name", "description", "visibility", "documents"]
        read_only_fields = fields


class CollectionSettingsSerializer(CollectionSerializer):
    """`groups` may read a restricted collection; `preset`: how its questions are answered, empty: the default."""

    serializer_field_mapping = STORABLE_FIELDS
    groups = VisibleRowField(_all_groups, model=Group, slug_field="name", many=True, required=False)

    class Meta:
        model = Collection
        fields = [
            *CollectionSerializer.Meta.fields, "groups", "mask_personal_data", "only_when_chosen", "preset",
            "lemma_weight", "form_weight",
        ]  # fmt: skip
        extra_kwargs = {
            "slug": {"required": False, "help_text": "Left out it is made of the name. It stays as it is afterwards."},
        }

    def validate_slug(self, slug: str) -> str:
        """Answers, addresses and programs name a collection by it."""
        if self.instance and self.instance.slug != slug:
            raise serializers.ValidationError(_("The identifier of a collection stays as it is."), code="settled")
        return slug

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        collection = self.instance or Collection()
        has = {name: attrs.get(name, getattr(collection, name)) for name in ("visibility", "preset")}
        groups = attrs["groups"] if "groups" in attrs else collection.groups.all() if collection.pk else ()
        if troubles := collection_troubles(**has, groups=list(groups), editor=self.context["request"].user):
            raise serializers.ValidationError(troubles)
        return attrs

    def create(self, validated_data: dict[str, Any]) -> Collection:
        return self.update(Collection(), validated_data)

    def update(self, instance: Collection, validated_data: dict[str, Any]) -> Collection:
        groups = validated_data.pop("groups", None)
        for name, value in validated_data.items():
            setattr(instance, name, value)
        return save_collection(collection=instance, groups=groups)
