"""Erasing documents: asked once more, done one by one, recorded without their words."""

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ingestion.admin.base import ModelAdmin, ReadOnlyAdmin
from ingestion.models import Document, Erasure
from ingestion.services.erasure import erase_document

WORDS = {
    "chunks": _("chunks"),
    "versions": _("versions"),
    "answers": _("answers cleared"),
    "judgements": _("judgements"),
    "names": _("names"),
    "words": _("words"),
}


@admin.action(description=_("Erase with every trace…"), permissions=["delete"])
def erase(model_admin: ModelAdmin[Document], request: HttpRequest, queryset: QuerySet[Document]) -> HttpResponse | None:
    """The first time the page that asks; with its answer the deed."""
    documents = list(queryset)
    if "confirmed" not in request.POST:
        context = {
            **model_admin.admin_site.each_context(request),
            "title": gettext("Erase with every trace"),
            "documents": documents,
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "admin/ingestion/document/erase.html", context)
    for document in documents:
        erase_document(document=document, erased_by=request.user)
    said = ngettext("%(n)d document erased.", "%(n)d documents erased.", len(documents))
    model_admin.message_user(request, said % {"n": len(documents)}, messages.SUCCESS)
    return None


@admin.register(Erasure)
class ErasureAdmin(ReadOnlyAdmin[Erasure]):
    list_display = ["document_number", "collection", "created", "erased_by", "erased"]
    list_select_related = ["collection", "erased_by"]
    fields = ["document_number", "collection", "created", "erased_by", "erased"]
    shared = True  # a collection that is deleted leaves its records

    @admin.display(description=_("erased"))
    def erased(self, erasure: Erasure) -> str:
        return ", ".join(f"{WORDS.get(name, name)}: {n}" for name, n in erasure.counts.items())
