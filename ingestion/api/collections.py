from typing import Any

from django.db.models import Count, Q, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView

from ingestion.api.pagination import Pages
from ingestion.api.serializers import CollectionSerializer
from ingestion.models import Collection
from ingestion.models.api_keys import ANY_KEY
from ingestion.selectors import open_documents, visible_collections


@extend_schema(summary="Collections that the viewer may read")
class CollectionListView(ListAPIView[Collection]):
    scopes = {"GET": ANY_KEY}
    serializer_class = CollectionSerializer
    pagination_class = Pages
    queryset = Collection.objects.none()

    def get_queryset(self) -> QuerySet[Any]:
        viewer = self.request.user
        opened = Q(documents__in=open_documents(viewer))
        return visible_collections(viewer).annotate(document_count=Count("documents", filter=opened)).order_by("name")
