from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from ingestion.admin.base import KnowledgeAdmin
from ingestion.models import Collection


@admin.register(Collection)
class CollectionAdmin(KnowledgeAdmin[Collection]):
    collection_path = "pk"
    list_display = ["name", "slug", "readers", "documents"]
    list_filter = ["visibility"]
    search_fields = ["name", "slug", "description"]
    prepopulated_fields = {"slug": ["name"]}
    filter_horizontal = ["groups"]
    fieldsets = [
        (None, {"fields": ["name", "slug", "description"]}),
        (_("Access"), {"fields": ["visibility", "groups", "mask_personal_data"]}),
        (_("Search"), {"fields": ["preset", "lemma_weight", "form_weight"]}),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Collection]:
        rows = super().get_queryset(request).prefetch_related("groups")
        return rows.annotate(document_count=Count("documents"))

    @admin.display(description=_("Who sees this"))
    def readers(self, collection: Collection) -> str:
        if collection.visibility == Collection.Visibility.PUBLIC:
            return str(_("Everyone, also without signing in"))
        if collection.visibility == Collection.Visibility.INTERNAL:
            return str(_("Every signed-in user"))
        groups = ", ".join(group.name for group in collection.groups.all())
        if not groups:
            return str(_("Nobody but superusers: choose groups"))
        return str(_("Members of: %(groups)s") % {"groups": groups})

    @admin.display(description=_("documents"), ordering="document_count")
    def documents(self, collection: Any) -> SafeString:
        address = reverse("admin:ingestion_document_changelist", query={"collection": collection.slug})
        return format_html('<a href="{}" class="text-link">{}</a>', address, collection.document_count)

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[Any, Any], set[Any], list[Any]]:
        """A collection with documents stays: each document is deleted on its own, with its index."""
        filled = [
            f"{collection}: " + ngettext("%(n)d document", "%(n)d documents", n) % {"n": n}
            for collection in objs
            if (n := collection.documents.count())
        ]
        if filled:
            return [], {}, set(), filled
        return super().get_deleted_objects(objs, request)
