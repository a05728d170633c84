from django.urls import path

from ingestion.api.chunks import ChunkListView
from ingestion.api.collections import CollectionDetailView, CollectionListView
from ingestion.api.documents import (
    DocumentArchiveView,
    DocumentDetailView,
    DocumentListView,
    DocumentReindexView,
    DocumentRestoreView,
)
from ingestion.api.jobs import JobCancelView, JobDetailView, JobListView, JobRetryView
from ingestion.api.sources.acts import ConnectionCheckView, GoneView, PauseView, ResumeView
from ingestion.api.sources.views import SourceDetailView, SourceListView, SyncReportListView, SyncView
from ingestion.api.vocabulary.glossary import GlossaryDetailView, GlossaryListView
from ingestion.api.vocabulary.synonyms import PacksView, PackView, SynonymDetailView, SynonymListView

app_name = "ingestion_api"

urlpatterns = [
    path("collections", CollectionListView.as_view(), name="collections"),
    path("collections/<slug:slug>", CollectionDetailView.as_view(), name="collection"),
    path("documents", DocumentListView.as_view(), name="documents"),
    path("documents/<int:pk>", DocumentDetailView.as_view(), name="document"),
    path("documents/<int:pk>/chunks", ChunkListView.as_view(), name="chunks"),
    path("documents/<int:pk>/archive", DocumentArchiveView.as_view(), name="document_archive"),
    path("documents/<int:pk>/restore", DocumentRestoreView.as_view(), name="document_restore"),
    path("documents/<int:pk>/reindex", DocumentReindexView.as_view(), name="document_reindex"),
    path("jobs", JobListView.as_view(), name="jobs"),
    path("jobs/<uuid:pk>", JobDetailView.as_view(), name="job"),
    path("jobs/<uuid:pk>/retry", JobRetryView.as_view(), name="job_retry"),
    path("jobs/<uuid:pk>/cancel", JobCancelView.as_view(), name="job_cancel"),
    path("sources", SourceListView.as_view(), name="sources"),
    path("sources/<int:pk>", SourceDetailView.as_view(), name="source"),
    path("sources/<int:pk>/reports", SyncReportListView.as_view(), name="reports"),
    path("sources/<int:pk>/sync", SyncView.as_view(), name="sync"),
    path("sources/<int:pk>/pause", PauseView.as_view(), name="pause"),
    path("sources/<int:pk>/resume", ResumeView.as_view(), name="resume"),
    path("sources/<int:pk>/check", ConnectionCheckView.as_view(), name="check"),
    path("sources/<int:pk>/gone", GoneView.as_view(), name="gone"),
    path("synonyms", SynonymListView.as_view(), name="synonyms"),
    path("synonyms/<int:pk>", SynonymDetailView.as_view(), name="synonym_group"),
    path("lexicon", PacksView.as_view(), name="packs"),
    path("lexicon/<slug:name>", PackView.as_view(), name="pack"),
    path("glossary", GlossaryListView.as_view(), name="glossary"),
    path("glossary/<int:pk>", GlossaryDetailView.as_view(), name="glossary_entry"),
]
