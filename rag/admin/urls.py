"""Pages of the admin that belong to no model of their own; they stand before the site's, in its namespace."""

from django.contrib import admin
from django.urls import path

from rag.admin.dashboard import dashboard_view
from rag.admin.synonym_effect import effect_view

urlpatterns = [
    path("rag/dashboard/", admin.site.admin_view(dashboard_view), name="rag_dashboard_changelist"),
    path(
        "ingestion/synonymgroup/<int:pk>/effect/",
        admin.site.admin_view(effect_view),
        name="rag_synonymgroup_effect",
    ),
]
