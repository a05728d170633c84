from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.forms.widgets import Script
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ingestion.admin.access.readers import CollectionReaders, in_words, is_forgotten
from ingestion.admin.base import KnowledgeAdmin
from ingestion.admin.collections.forms import CollectionForm
from ingestion.chunking.splitting import chunking_of
from ingestion.models import Collection
from ingestion.renewal.rechunking.state import in_words as in_words_of
from ingestion.services.collections import delete_collection
from ingestion.services.grouping import start_grouping
from knowledgetree.conf import rag_settings

_REST = ["slug", "description", "mask_personal_data"]


@admin.register(Collection)
class CollectionAdmin(CollectionReaders, KnowledgeAdmin[Collection]):
    form = CollectionForm
    collection_path = "pk"
    change_form_outer_before_template = "admin/ingestion/collection/panel.html"
    list_display = ["name", "slug", "readers", "documents"]
    list_filter = ["visibility"]
    search_fields = ["name", "slug", "description"]
    prepopulated_fields = {"slug": ["name"]}
    add_fieldsets = [
        (None, {"fields": ["name", "visibility", "groups"]}),
        (_("More, if you like"), {"fields": _REST, "classes": ["collapse"]}),
    ]
    fieldsets = [
        (None, {"fields": ["name", "slug", "description"]}),
        (_("Access"), {"fields": ["visibility", "groups", "mask_personal_data"]}),
        (_("Search"), {"fields": ["only_when_chosen", "preset", "lemma_weight", "form_weight", "chunking_in_force"]}),
    ]
    readonly_fields = ["chunking_in_force"]
    actions = ["group_documents"]

    class Media:
        js = [Script("admin/knowledgetree/collection.js", type="module")]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Collection]:
        rows = super().get_queryset(request).prefetch_related("groups")
        return rows.annotate(document_count=Count("documents"))

    def get_fieldsets(self, request: HttpRequest, obj: Collection | None = None) -> Any:
        return super().get_fieldsets(request, obj) if obj else self.add_fieldsets

    def get_form(
        self, request: HttpRequest, obj: Collection | None = None, change: bool = False, **kwargs: Any
    ) -> type[Any]:
        form: type[Any] = super().get_form(request, obj, change=change, **kwargs)
        form.editor = request.user  # the class is made for this request
        return form

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        collection: Collection | None = context["original"]
        if collection:
            context["panel"] = {
                "collection": collection,
                "sentence": in_words(collection, viewer=request.user),
                "forgotten": is_forgotten(collection),
                "documents": collection.documents.count(),
                "may_upload": request.user.has_perm("ingestion.add_document"),
            }
        return super().render_change_form(request, context, *args, **kwargs)

    def response_add(self, request: HttpRequest, obj: Collection, post_url_continue: str | None = None) -> HttpResponse:
        """To the new collection's page, where the next step stands."""
        elsewhere = {"_addanother", "_continue", "_popup"} & request.POST.keys()
        if elsewhere or not self.has_view_or_change_permission(request, obj):
            return super().response_add(request, obj, post_url_continue)
        self.message_user(request, gettext("The collection “%(name)s” is there.") % {"name": obj}, messages.SUCCESS)
        return redirect("admin:ingestion_collection_change", obj.pk)

    @admin.action(description=_("Group the documents by subject"), permissions=["change"])
    def group_documents(self, request: HttpRequest, queryset: QuerySet[Collection]) -> None:
        for collection in queryset:
            start_grouping(collection=collection)
            self.log_change(request, collection, gettext("Grouping of the documents was asked for."))
        address = reverse("admin:ingestion_job_changelist")
        said = gettext("The documents are being grouped; the subjects will stand in the library.")
        link = format_html('{} <a href="{}" class="text-link">{}</a>', said, address, gettext("Jobs"))
        self.message_user(request, link, messages.SUCCESS)

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

    @admin.display(description=_("how texts are split"))
    def chunking_in_force(self, collection: Collection) -> str:
        words = in_words_of(chunking_of(collection, rag_settings().ingestion.chunking))
        return words if collection.chunking else f"{words} ({gettext('as the settings say')})"

    @admin.display(description=_("documents"), ordering="document_count")
    def documents(self, collection: Any) -> SafeString:
        address = reverse("admin:ingestion_document_changelist", query={"collection": collection.slug})
        return format_html('<a href="{}" class="text-link">{}</a>', address, collection.document_count)

    def delete_model(self, request: HttpRequest, obj: Collection) -> None:
        delete_collection(collection=obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Collection]) -> None:
        for collection in queryset:
            delete_collection(collection=collection)

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
