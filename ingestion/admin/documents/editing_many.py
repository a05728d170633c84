"""Fields of many documents at once: what is left empty stays as each document has it."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.postgres.forms import SimpleArrayField
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminDateWidget, UnfoldAdminTextInputWidget

from ingestion.admin.base import ModelAdmin
from ingestion.admin.labelled_form import LabelledForm
from ingestion.models import Document
from ingestion.models.descriptions import DescribedFields
from ingestion.services.editing import edit_document
from knowledgetree.errors import KnowledgeTreeError

MOST_SUGGESTED = 100


def _labels(name: Any, help_text: Any) -> SimpleArrayField:
    return SimpleArrayField(
        forms.CharField(max_length=60), label=name, required=False, help_text=help_text,
        widget=UnfoldAdminTextInputWidget,
    )  # fmt: skip


class ManyDocumentsForm(LabelledForm):
    category = forms.CharField(
        label=gettext_lazy("category"), max_length=100, required=False,
        widget=UnfoldAdminTextInputWidget(attrs={"list": "known-categories"}),
    )  # fmt: skip
    added = _labels(gettext_lazy("tags to add"), gettext_lazy("Separated by commas."))
    removed = _labels(gettext_lazy("tags to take away"), gettext_lazy("Separated by commas."))
    valid_from = forms.DateField(label=gettext_lazy("valid from"), required=False, widget=UnfoldAdminDateWidget)
    valid_to = forms.DateField(label=gettext_lazy("valid to"), required=False, widget=UnfoldAdminDateWidget)

    def changes_of(self, document: Document) -> DescribedFields:
        """What is another than `document` has."""
        said = self.cleaned_data
        tags = [tag for tag in document.tags if tag not in said["removed"]]
        wanted = {name: said[name] for name in ("category", "valid_from", "valid_to") if said[name]}
        wanted["tags"] = [*tags, *(tag for tag in said["added"] if tag not in tags)]
        return {  # type: ignore[return-value]
            name: value for name, value in wanted.items() if value != getattr(document, name)
        }


@admin.action(description=_("Change category, tags, validity…"), permissions=["change"])
def edit_many(
    model_admin: ModelAdmin[Document], request: HttpRequest, queryset: QuerySet[Document]
) -> HttpResponse | None:
    """The first time the form; once sent, each document is changed by itself, and one that refuses says why."""
    documents = list(queryset.select_related("collection"))
    form = ManyDocumentsForm(request.POST if "confirmed" in request.POST else None)
    if form.is_valid():
        _edit_each(model_admin, request, documents, form)
        return None
    known = model_admin.get_queryset(request).exclude(category="").order_by("category")
    context = {
        **model_admin.admin_site.each_context(request),
        "title": gettext("Change many documents"),
        "documents": documents,
        "form": form,
        "categories": known.values_list("category", flat=True).distinct()[:MOST_SUGGESTED],
        "checkbox": ACTION_CHECKBOX_NAME,
    }
    return TemplateResponse(request, "admin/ingestion/document/edit_many.html", context)


def _edit_each(
    model_admin: ModelAdmin[Document], request: HttpRequest, documents: list[Document], form: ManyDocumentsForm
) -> None:
    done = 0
    for document in documents:
        changes = form.changes_of(document)
        if not changes:
            continue
        try:
            edit_document(document=document, changes=changes)
        except KnowledgeTreeError as error:
            model_admin.message_user(request, f"{document}: {error}", messages.ERROR)
        else:
            model_admin.log_change(request, document, [{"changed": {"fields": sorted(changes)}}])
            done += 1
    said = ngettext("%(n)d document changed.", "%(n)d documents changed.", done) % {"n": done}
    model_admin.message_user(request, said, messages.SUCCESS if done else messages.WARNING)
