from django.urls import path

from ingestion.api.chunks import ChunkListView
from ingestion.api.collections import CollectionListView
from ingestion.api.documents import DocumentDetailView, DocumentListView
from ingestion.api.jobs import JobDetailView, JobListView
from ingestion.api.sources import SourceDetailView, SourceListView, SyncReportListView, SyncView

app_name = "ingestion_api"

urlpatterns = [
    path("collections", CollectionListView.as_view(), name="collections"),
    path("documents", DocumentListView.as_view(), name="documents"),
    path("documents/<int:pk>", DocumentDetailView.as_view(), name="document"),
    path("documents/<int:pk>/chunks", ChunkListView.as_view(), name="chunks"),
    path("jobs", JobListView.as_view(), name="jobs"),
    path("jobs/<uuid:pk>", JobDetailView.as_view(), name="job"),
    path("sources", SourceListView.as_view(), name="sources"),
    path("sources/<int:pk>", SourceDetailView.as_view(), name="source"),
    path("sources/<int:pk>/reports", SyncReportListView.as_view(), name="reports"),
    path("sources/<int:pk>/sync", SyncView.as_view(), name="sync"),
]
