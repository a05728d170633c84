from collections.abc import Mapping
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ingestion.api.collection_fields import CollectionSerializer, CollectionSettingsSerializer
from ingestion.models import Collection
from ingestion.models.api_keys import ANY_KEY
from ingestion.models.viewers import Viewer, is_bound, is_editor
from ingestion.selectors import open_documents, visible_collections
from ingestion.services.collections import delete_collection
from knowledgetree.http.resources import IF_MATCH, ResourceView
from knowledgetree.problems import problems


def counted_collections(viewer: Viewer) -> QuerySet[Any]:
    """Those that `viewer` may read, with the number of documents that they can open in each."""
    opened = Q(documents__in=open_documents(viewer))
    return visible_collections(viewer).annotate(document_count=Count("documents", filter=opened)).order_by("name")


class CollectionListView(ListAPIView[Collection]):
    scopes = {"GET": ANY_KEY, "POST": "admin"}
    editor_permissions = {"POST": "ingestion.add_collection"}
    serializer_class = CollectionSerializer
    queryset = Collection.objects.none()

    def get_queryset(self) -> QuerySet[Any]:
        return counted_collections(self.request.user)

    @extend_schema(summary="Collections that the viewer may read")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request)

    @extend_schema(
        summary="Set up a collection",
        description="Editors only, and no key for chosen collections: it would not see what it makes.",
        request=CollectionSettingsSerializer,
        responses={201: CollectionSettingsSerializer, **problems(400, 403)},
    )
    def post(self, request: Request) -> Response:
        if is_bound(request.user):
            raise PermissionDenied(_("This API key is for chosen collections alone."))
        given = CollectionSettingsSerializer(data=request.data, context={"request": request})
        given.is_valid(raise_exception=True)
        made = counted_collections(request.user).get(pk=given.save().pk)
        return Response(CollectionSettingsSerializer(made).data, status=status.HTTP_201_CREATED)


class CollectionDetailView(ResourceView[Collection]):
    scopes = {"GET": ANY_KEY, "PATCH": "admin", "DELETE": "admin"}
    editor_permissions = {"PATCH": "ingestion.change_collection", "DELETE": "ingestion.delete_collection"}
    serializer_class = CollectionSettingsSerializer
    queryset = Collection.objects.none()
    lookup_field = "slug"

    def get_queryset(self) -> QuerySet[Any]:
        return counted_collections(self.request.user)

    def representation(self, row: Collection) -> Mapping[str, Any]:
        """What only editors set is only theirs to read."""
        edits = is_editor(self.request.user, "ingestion.view_collection") or is_editor(
            self.request.user, "ingestion.change_collection"
        )
        return CollectionSettingsSerializer(row).data if edits else CollectionSerializer(row).data

    @extend_schema(
        summary="One collection",
        description="Readers get what the list has; editors (`ingestion.view_collection`) also its settings.",
        responses={200: CollectionSettingsSerializer, **problems(404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        return self.show()

    @extend_schema(
        summary="Change a collection",
        description="Editors only. Its identifier stays. Who is no superuser cannot shut themselves out.",
        parameters=[IF_MATCH],
        responses={200: CollectionSettingsSerializer, **problems(400, 403, 404, 412)},
    )
    def patch(self, request: Request, slug: str) -> Response:
        return self.change()

    @extend_schema(
        summary="Delete a collection that has no documents",
        description="Editors only. Its sources go with it; 409 where it has documents.",
        parameters=[IF_MATCH],
        responses={204: None, **problems(403, 404, 409, 412)},
    )
    def delete(self, request: Request, slug: str) -> Response:
        return self.remove(lambda collection: delete_collection(collection=collection))
