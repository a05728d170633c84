from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ingestion.api.filters import GlossaryFiltersSerializer
from ingestion.api.vocabulary.belonging import BelongingSerializer, check_searchable, refuse_beyond
from ingestion.models import GlossaryEntry
from ingestion.selectors import visible_glossary
from ingestion.services.synonyms import save_glossary_entry
from knowledgetree.http.query_filters import read_filters
from knowledgetree.http.resources import IF_MATCH, ResourceView
from knowledgetree.problems import problems


class GlossaryEntrySerializer(BelongingSerializer):
    """A term of the organisation; `aliases` are searched like synonyms."""

    term = serializers.CharField(max_length=200, validators=[check_searchable])
    aliases = serializers.ListField(
        child=serializers.CharField(max_length=200, validators=[check_searchable]), default=list, max_length=200
    )

    class Meta:
        model = GlossaryEntry
        fields = ["id", "term", "kind", "definition", "aliases", "collection", "modified"]
        read_only_fields = ["id", "modified"]
        validators: list[Any] = []  # said below: the framework's own demands a collection

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = super().validate(attrs)
        entry = self.instance or GlossaryEntry()
        place = {name: attrs.get(name, getattr(entry, name)) for name in ("term", "collection")}
        if GlossaryEntry.objects.filter(**place).exclude(pk=entry.pk).exists():
            raise serializers.ValidationError({"term": _("The collection has this term already.")}, code="unique")
        return attrs

    def create(self, validated_data: dict[str, Any]) -> GlossaryEntry:
        return self.update(GlossaryEntry(), validated_data)

    def update(self, instance: GlossaryEntry, validated_data: dict[str, Any]) -> GlossaryEntry:
        for name, value in validated_data.items():
            setattr(instance, name, value)
        return save_glossary_entry(entry=instance)


class GlossaryListView(ListAPIView[GlossaryEntry]):
    scopes = {"GET": "documents:read", "POST": "admin"}
    editor_permissions = {"GET": "ingestion.view_glossaryentry", "POST": "ingestion.add_glossaryentry"}
    serializer_class = GlossaryEntrySerializer
    queryset = GlossaryEntry.objects.none()

    def get_queryset(self) -> QuerySet[GlossaryEntry]:
        given = read_filters(GlossaryFiltersSerializer, self.request)
        entries = visible_glossary(self.request.user)
        if "collection" in given:
            entries = entries.filter(collection__slug=given["collection"])
        if "kind" in given:
            entries = entries.filter(kind=given["kind"])
        if text := given.get("search"):
            entries = entries.filter(Q(term__icontains=text) | Q(aliases__icontains=text))
        return entries

    @extend_schema(
        summary="The glossary",
        description="Editors only.",
        parameters=[GlossaryFiltersSerializer],
        responses={200: GlossaryEntrySerializer(many=True), **problems(400, 403)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request)

    @extend_schema(
        summary="Add a term to the glossary",
        description="Editors only. Its names are searched at once.",
        responses={201: GlossaryEntrySerializer, **problems(400, 403)},
    )
    def post(self, request: Request) -> Response:
        given = self.get_serializer(data=request.data)
        given.is_valid(raise_exception=True)
        given.save()
        return Response(given.data, status=status.HTTP_201_CREATED)


class GlossaryDetailView(ResourceView[GlossaryEntry]):
    scopes = {"GET": "documents:read", "PATCH": "admin", "DELETE": "admin"}
    editor_permissions = {
        "GET": "ingestion.view_glossaryentry",
        "PATCH": "ingestion.change_glossaryentry",
        "DELETE": "ingestion.delete_glossaryentry",
    }
    serializer_class = GlossaryEntrySerializer
    queryset = GlossaryEntry.objects.none()

    def get_queryset(self) -> QuerySet[GlossaryEntry]:
        return visible_glossary(self.request.user)

    @extend_schema(summary="One term of the glossary", responses={200: GlossaryEntrySerializer, **problems(403, 404)})
    def get(self, request: Request, pk: int) -> Response:
        return self.show()

    @extend_schema(
        summary="Change a term of the glossary",
        description="Editors only.",
        parameters=[IF_MATCH],
        responses={200: GlossaryEntrySerializer, **problems(400, 403, 404, 412)},
    )
    def patch(self, request: Request, pk: int) -> Response:
        return self.change()

    @extend_schema(
        summary="Delete a term of the glossary",
        description="Editors only.",
        parameters=[IF_MATCH],
        responses={204: None, **problems(403, 404, 412)},
    )
    def delete(self, request: Request, pk: int) -> Response:
        return self.remove(self._delete_entry)

    def _delete_entry(self, entry: GlossaryEntry) -> None:
        refuse_beyond(self.request.user, entry.collection)
        entry.delete()
