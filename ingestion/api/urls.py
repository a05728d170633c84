from django.urls import path

from ingestion.api.chunks import ChunkListView
from ingestion.api.collections import CollectionListView
from ingestion.api.documents import DocumentDetailView, DocumentListView
from ingestion.api.jobs import JobCancelView, JobDetailView, JobListView, JobRetryView
from ingestion.api.sources import SourceDetailView, SourceListView, SyncReportListView, SyncView

app_name = "ingestion_api"

urlpatterns = [
    path("collections", CollectionListView.as_view(), name="collections"),
    path("documents", DocumentListView.as_view(), name="documents"),
    path("documents/<int:pk>", DocumentDetailView.as_view(), name="document"),
    path("documents/<int:pk>/chunks", ChunkListView.as_view(), name="chunks"),
    path("jobs", JobListView.as_view(), name="jobs"),
    path("jobs/<uuid:pk>", JobDetailView.as_view(), name="job"),
    path("jobs/<uuid:pk>/retry", JobRetryView.as_view(), name="job_retry"),
    path("jobs/<uuid:pk>/cancel", JobCancelView.as_view(), name="job_cancel"),
    path("sources", SourceListView.as_view(), name="sources"),
    path("sources/<int:pk>", SourceDetailView.as_view(), name="source"),
    path("sources/<int:pk>/reports", SyncReportListView.as_view(), name="reports"),
    path("sources/<int:pk>/sync", SyncView.as_view(), name="sync"),
]
