from typing import Any, cast

from django.contrib import admin
from django.contrib.postgres.fields import ArrayField
from django.db.models import QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextInputWidget

from ingestion.admin.base import KnowledgeAdmin
from ingestion.admin.chunks.finding_filters import PersonalDataFilter, SimilarFilter
from ingestion.admin.documents.actions import archive, index_again, restore
from ingestion.admin.documents.columns import FIELDSETS, LIST, READ_ONLY
from ingestion.admin.documents.editing import DocumentEditing
from ingestion.admin.documents.editing_many import edit_many
from ingestion.admin.documents.erasing import erase
from ingestion.admin.documents.form import DocumentForm
from ingestion.admin.documents.readers import DocumentReaders
from ingestion.admin.documents.uploading import DocumentUploading
from ingestion.admin.documents.versions import DocumentVersions
from ingestion.admin.filters import CategoryFilter, CollectionFilter, MediaTypeFilter, WarningsFilter
from ingestion.models import Document
from ingestion.models.descriptions import DescribedFields
from ingestion.services.documents import delete_document
from ingestion.services.editing import edit_document


@admin.register(Document)
class DocumentAdmin(
    DocumentVersions,
    DocumentUploading,
    DocumentEditing,
    DocumentReaders,
    KnowledgeAdmin[Document],
):
    """Documents come by upload, not by an empty form; what the system knows of them is read-only."""

    document_path = ""
    form = DocumentForm
    show_add_link = False
    formfield_overrides = {ArrayField: {"widget": UnfoldAdminTextInputWidget}}
    change_list_template = "admin/ingestion/document/change_list.html"
    change_form_outer_before_template = "admin/ingestion/document/panel.html"
    list_display = LIST
    list_filter = [
        "status", CollectionFilter, CategoryFilter, MediaTypeFilter, WarningsFilter, SimilarFilter, PersonalDataFilter,
    ]  # fmt: skip
    list_select_related = ["collection"]
    search_fields = ["title", "uri", "file_name"]
    search_help_text = _("Title, URI or file name")
    actions = [edit_many, index_again, archive, restore, erase]
    readonly_fields = READ_ONLY
    fieldsets = FIELDSETS

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        return redirect("admin:ingestion_document_upload")

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Document | None:
        document = super().get_object(request, object_id, from_field)
        if document:
            document.viewer = request.user  # type: ignore[attr-defined]  # the columns get no request
        return document

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        return super().render_change_form(request, context | {"show_save_and_add_another": False}, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Document, form: Any, change: bool) -> None:
        """The changed fields alone, and they stay the editor's: the worker may be writing the others."""
        changed = {name: form.cleaned_data[name] for name in form.changed_data}
        # Django takes lists and objects for changed where a client does not send back what the page had hidden of them.
        changes = {name: value for name, value in changed.items() if value != form.initial.get(name)}
        if changes:
            edit_document(document=obj, changes=cast("DescribedFields", changes))

    def delete_model(self, request: HttpRequest, obj: Document) -> None:
        delete_document(document=obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        for document in queryset:
            delete_document(document=document)

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[Any, Any], set[Any], list[Any]]:
        """Django would load every chunk and posting to list them; their number says enough."""
        chosen = Document.objects.filter(pk__in=[document.pk for document in objs])
        chunks = chosen.aggregate(chunks=Sum("chunk_count", default=0))["chunks"]
        counts = {Document._meta.verbose_name_plural: len(objs), gettext("chunks"): chunks}
        return [str(document) for document in objs], counts, set(), []
