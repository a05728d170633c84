from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ingestion.admin.base import KnowledgeAdmin
from ingestion.admin.filters import CollectionFilter
from ingestion.models import Source


@admin.register(Source)
class SourceAdmin(KnowledgeAdmin[Source]):
    list_display = ["name", "kind", "collection", "location", "schedule", "last_synced"]
    list_filter = [CollectionFilter, "kind"]
    list_select_related = ["collection"]
    search_fields = ["name", "location"]
    readonly_fields = ["last_synced", "last_result", "owner"]
    fieldsets = [
        (None, {"fields": ["name", "collection", "kind", "location", "options", "schedule"]}),
        (_("Last synchronisation"), {"fields": ["last_synced", "last_result", "owner"]}),
    ]

    def save_model(self, request: HttpRequest, obj: Source, form: Any, change: bool) -> None:
        if not change:
            obj.owner_id = request.user.pk
        super().save_model(request, obj, form, change)
