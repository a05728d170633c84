"""What an editor does with chosen documents. Each goes through the service, one by one, and is logged."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ingestion.models import Document
from ingestion.services.documents import archive_document, reindex_document, restore_document
from knowledgetree.errors import KnowledgeTreeError

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin

    Base = ModelAdmin[Document]
else:
    Base = object

ARCHIVED = Document.Status.ARCHIVED


class DocumentActions(Base):
    actions = ["index_again", "archive", "restore", "erase"]

    @admin.action(description=_("Index again"), permissions=["change"])
    def index_again(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        live = queryset.exclude(status=ARCHIVED)
        done = self._for_each(request, live, lambda d: reindex_document(document=d), gettext("Queued for indexing."))
        message = ngettext("%(n)d document queued for indexing.", "%(n)d documents queued for indexing.", done)
        self._report(request, message, done)

    @admin.action(description=_("Archive: take out of search"), permissions=["change"])
    def archive(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        live = queryset.exclude(status=ARCHIVED)
        done = self._for_each(request, live, lambda d: archive_document(document=d), gettext("Archived."))
        self._report(request, ngettext("%(n)d document archived.", "%(n)d documents archived.", done), done)

    @admin.action(description=_("Restore from the archive"), permissions=["change"])
    def restore(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        archived = queryset.filter(status=ARCHIVED)
        done = self._for_each(request, archived, lambda d: restore_document(document=d), gettext("Restored."))
        message = ngettext("%(n)d document is being restored.", "%(n)d documents are being restored.", done)
        self._report(request, message, done)

    def _for_each(
        self, request: HttpRequest, documents: QuerySet[Document], act: Callable[[Document], Any], logged: str
    ) -> int:
        done = 0
        for document in list(documents):
            try:
                act(document)
            except KnowledgeTreeError as error:
                self.message_user(request, f"{document}: {error}", messages.ERROR)
            else:
                self.log_change(request, document, logged)
                done += 1
        return done

    def _report(self, request: HttpRequest, message: str, done: int) -> None:
        if done:
            self.message_user(request, message % {"n": done}, messages.SUCCESS)
        else:
            self.message_user(request, _("Nothing to do for the chosen documents."), messages.WARNING)
