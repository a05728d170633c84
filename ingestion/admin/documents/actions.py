"""What an editor does with chosen documents. Each goes through the service, one by one, and is logged."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ingestion.admin.base import ModelAdmin
from ingestion.models import Document
from ingestion.services.documents import archive_document, reindex_document, restore_document
from knowledgetree.errors import KnowledgeTreeError

ARCHIVED = Document.Status.ARCHIVED


@admin.action(description=_("Index again"), permissions=["change"])
def index_again(model_admin: ModelAdmin[Document], request: HttpRequest, queryset: QuerySet[Document]) -> None:
    live = queryset.exclude(status=ARCHIVED)
    done = _for_each(
        model_admin, request, live, lambda d: reindex_document(document=d), gettext("Queued for indexing.")
    )
    message = ngettext("%(n)d document queued for indexing.", "%(n)d documents queued for indexing.", done)
    _report(model_admin, request, message, done)


@admin.action(description=_("Archive: take out of search"), permissions=["change"])
def archive(model_admin: ModelAdmin[Document], request: HttpRequest, queryset: QuerySet[Document]) -> None:
    live = queryset.exclude(status=ARCHIVED)
    done = _for_each(model_admin, request, live, lambda d: archive_document(document=d), gettext("Archived."))
    _report(model_admin, request, ngettext("%(n)d document archived.", "%(n)d documents archived.", done), done)


@admin.action(description=_("Restore from the archive"), permissions=["change"])
def restore(model_admin: ModelAdmin[Document], request: HttpRequest, queryset: QuerySet[Document]) -> None:
    archived = queryset.filter(status=ARCHIVED)
    done = _for_each(model_admin, request, archived, lambda d: restore_document(document=d), gettext("Restored."))
    message = ngettext("%(n)d document is being restored.", "%(n)d documents are being restored.", done)
    _report(model_admin, request, message, done)


def _for_each(
    model_admin: ModelAdmin[Document],
    request: HttpRequest,
    documents: QuerySet[Document],
    act: Callable[[Document], Any],
    logged: str,
) -> int:
    done = 0
    for document in list(documents):
        try:
            act(document)
        except KnowledgeTreeError as error:
            model_admin.message_user(request, f"{document}: {error}", messages.ERROR)
        else:
            model_admin.log_change(request, document, logged)
            done += 1
    return done


def _report(model_admin: ModelAdmin[Document], request: HttpRequest, message: str, done: int) -> None:
    if done:
        model_admin.message_user(request, message % {"n": done}, messages.SUCCESS)
    else:
        model_admin.message_user(request, _("Nothing to do for the chosen documents."), messages.WARNING)
