from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ingestion.api.filters import SynonymFiltersSerializer
from ingestion.api.vocabulary.belonging import BelongingSerializer, check_searchable, refuse_beyond
from ingestion.errors import IngestionError
from ingestion.models import LexiconPack, SynonymGroup
from ingestion.selectors import visible_synonym_groups
from ingestion.services.synonyms import save_group
from knowledgetree.http.query_filters import read_filters
from knowledgetree.http.resources import IF_MATCH, ResourceView
from knowledgetree.problems import problems

_FEWEST_WORDS = 2


class ShippedGroup(IngestionError):
    """It comes anew with each release."""

    code = "shipped"
    status = 409


class SynonymGroupSerializer(BelongingSerializer):
    """`words` in their order: the first leads a `one_way` group. Of a group of the lexicon (`pack`) only `enabled` can
    be changed.
    """

    words = serializers.ListField(
        child=serializers.CharField(max_length=200, validators=[check_searchable]),
        min_length=_FEWEST_WORDS,
        max_length=200,
        help_text="In their base form.",
    )
    pack = serializers.SlugRelatedField[LexiconPack](slug_field="name", read_only=True, allow_null=True)

    class Meta:
        model = SynonymGroup
        fields = ["id", "name", "collection", "direction", "weight", "enabled", "source", "pack", "words"]
        read_only_fields = ["id", "source", "pack"]

    def to_representation(self, instance: SynonymGroup) -> dict[str, Any]:
        instance.words = [synonym.text for synonym in instance.synonyms.all()]  # type: ignore[attr-defined]
        return super().to_representation(instance)

    def validate_words(self, words: list[str]) -> list[str]:
        if len(set(words)) < len(words):
            raise serializers.ValidationError(_("A word stands in the group twice."))
        return words

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if self.instance is not None and self.instance.pack_id and set(attrs) - {"enabled"}:
            raise _shipped()
        return super().validate(attrs)

    def create(self, validated_data: dict[str, Any]) -> SynonymGroup:
        return self.update(SynonymGroup(), validated_data)

    def update(self, instance: SynonymGroup, validated_data: dict[str, Any]) -> SynonymGroup:
        words = validated_data.pop("words", None)
        for name, value in validated_data.items():
            setattr(instance, name, value)
        return save_group(group=instance, words=words)


class SynonymListView(ListAPIView[SynonymGroup]):
    scopes = {"GET": "documents:read", "POST": "admin"}
    editor_permissions = {"GET": "ingestion.view_synonymgroup", "POST": "ingestion.add_synonymgroup"}
    serializer_class = SynonymGroupSerializer
    queryset = SynonymGroup.objects.none()

    def get_queryset(self) -> QuerySet[SynonymGroup]:
        given = read_filters(SynonymFiltersSerializer, self.request)
        lookups = {"collection": "collection__slug", "pack": "pack__name"}
        search = given.pop("search", "")
        groups = visible_synonym_groups(self.request.user)
        groups = groups.filter(**{lookups.get(name, name): value for name, value in given.items()})
        return groups.filter(synonyms__text__icontains=search).distinct() if search else groups

    @extend_schema(
        summary="Groups of words that mean the same",
        description="Editors only: those of the editors, of an imported thesaurus and of the lexicon, see `source`.",
        parameters=[SynonymFiltersSerializer],
        responses={200: SynonymGroupSerializer(many=True), **problems(400, 403)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request)

    @extend_schema(
        summary="Add a group of words that mean the same",
        description="Editors only. It is searched with at once.",
        responses={201: SynonymGroupSerializer, **problems(400, 403)},
    )
    def post(self, request: Request) -> Response:
        given = self.get_serializer(data=request.data)
        given.is_valid(raise_exception=True)
        made = visible_synonym_groups(request.user).get(pk=given.save().pk)
        return Response(self.get_serializer(made).data, status=status.HTTP_201_CREATED)


class SynonymDetailView(ResourceView[SynonymGroup]):
    scopes = {"GET": "documents:read", "PATCH": "admin", "DELETE": "admin"}
    editor_permissions = {
        "GET": "ingestion.view_synonymgroup",
        "PATCH": "ingestion.change_synonymgroup",
        "DELETE": "ingestion.delete_synonymgroup",
    }
    serializer_class = SynonymGroupSerializer
    queryset = SynonymGroup.objects.none()

    def get_queryset(self) -> QuerySet[SynonymGroup]:
        return visible_synonym_groups(self.request.user)

    @extend_schema(summary="One group of synonyms", responses={200: SynonymGroupSerializer, **problems(403, 404)})
    def get(self, request: Request, pk: int) -> Response:
        return self.show()

    @extend_schema(
        summary="Change a group of synonyms",
        description="Editors only. `words` take the place of those it has. 409 for a group of the lexicon, of which "
        "only `enabled` can be changed.",
        parameters=[IF_MATCH],
        responses={200: SynonymGroupSerializer, **problems(400, 403, 404, 409, 412)},
    )
    def patch(self, request: Request, pk: int) -> Response:
        return self.change()

    @extend_schema(
        summary="Delete a group of synonyms",
        description="Editors only. 409 for a group of the lexicon: switch it off instead.",
        parameters=[IF_MATCH],
        responses={204: None, **problems(403, 404, 409, 412)},
    )
    def delete(self, request: Request, pk: int) -> Response:
        return self.remove(self._delete_group)

    def _delete_group(self, group: SynonymGroup) -> None:
        refuse_beyond(self.request.user, group.collection)
        if group.pack_id:
            raise _shipped()
        group.delete()


class LexiconPackSerializer(serializers.ModelSerializer[LexiconPack]):
    """A domain of everyday words that comes with the release."""

    groups = serializers.IntegerField(source="group_count", read_only=True)
    switched_off = serializers.IntegerField(read_only=True, help_text="Of its groups.")

    class Meta:
        model = LexiconPack
        fields = ["name", "title", "enabled", "groups", "switched_off"]
        read_only_fields = ["name", "title"]


class PacksView(ListAPIView[LexiconPack]):
    scopes = {"GET": "documents:read"}
    editor_permissions = {"GET": "ingestion.view_lexiconpack"}
    serializer_class = LexiconPackSerializer
    queryset = LexiconPack.objects.none()

    def get_queryset(self) -> QuerySet[Any]:
        return counted_packs()

    @extend_schema(
        summary="The packs of the lexicon", responses={200: LexiconPackSerializer(many=True), **problems(403)}
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request)


class PackView(ResourceView[LexiconPack]):
    scopes = {"GET": "documents:read", "PATCH": "admin"}
    editor_permissions = {"GET": "ingestion.view_lexiconpack", "PATCH": "ingestion.change_lexiconpack"}
    serializer_class = LexiconPackSerializer
    queryset = LexiconPack.objects.none()
    lookup_field = "name"

    def get_queryset(self) -> QuerySet[Any]:
        return counted_packs()

    def changes_of(self, row: LexiconPack) -> serializers.BaseSerializer[Any]:
        refuse_beyond(self.request.user, None)
        return super().changes_of(row)

    @extend_schema(summary="One pack of the lexicon", responses={200: LexiconPackSerializer, **problems(403, 404)})
    def get(self, request: Request, name: str) -> Response:
        return self.show()

    @extend_schema(
        summary="Switch a pack of the lexicon on or off",
        description="Editors only. It holds in every collection.",
        parameters=[IF_MATCH],
        responses={200: LexiconPackSerializer, **problems(400, 403, 404, 412)},
    )
    def patch(self, request: Request, name: str) -> Response:
        return self.change()


def counted_packs() -> QuerySet[Any]:
    counts: Mapping[str, Count] = {
        "group_count": Count("groups"),
        "switched_off": Count("groups", filter=Q(groups__enabled=False)),
    }
    return LexiconPack.objects.annotate(**counts).order_by("title")


def _shipped() -> ShippedGroup:
    return ShippedGroup(
        _("This group comes with each release of the lexicon."), remedy=_("Switch it off, or add a group of your own.")
    )
