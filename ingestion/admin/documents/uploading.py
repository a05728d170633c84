"""The pages of an upload: the form, then what became of each file, until all are ready."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from ingestion.admin.documents.columns import COLOURS
from ingestion.admin.documents.upload import Taken, UploadForm, take_files
from ingestion.admin.documents.upload_check import check_files
from ingestion.models import Document, Job
from ingestion.selectors import visible_collections
from knowledgetree.conf import rag_settings

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin

    Base = ModelAdmin[Document]
else:
    Base = object

_KEPT = "uploaded"  # in the session: a refused file is in no table
_MOVING = (Document.Status.QUEUED, Document.Status.PROCESSING)


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadRow:
    """One file of the upload as it is now. `job` where its indexing still runs or waits."""

    name: str
    outcome: str
    error: str
    document: Document | None
    job: Job | None
    candidates: Sequence[Document]

    @property
    def colour(self) -> str:
        return COLOURS[self.document.status] if self.document else "danger"

    @property
    def moving(self) -> bool:
        return self.job is not None or bool(self.document and self.document.status in _MOVING)

    @property
    def ready(self) -> bool:
        return bool(self.document and self.document.status == Document.Status.READY and not self.job)


class DocumentUploading(Base):
    def get_urls(self) -> list[URLPattern]:
        views = {"upload": self.upload_view, "uploaded": self.uploaded_view, "check_files": require_POST(check_files)}
        own = [
            path(f"{name}/", self.admin_site.admin_view(view), name=f"ingestion_document_{name}")
            for name, view in views.items()
        ]
        return [*own, *super().get_urls()]

    def upload_view(self, request: HttpRequest) -> HttpResponse:
        """The form for many files; once sent, on to what became of each of them."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        sent = (request.POST, request.FILES) if request.method == "POST" else ()
        form = UploadForm(*sent, editor=request.user, initial=_initial(request))
        if form.is_valid():
            self._take(request, form)
            return redirect("admin:ingestion_document_uploaded")
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Upload files"),
            "form": form,
            "most": rag_settings().ingestion.max_bytes // 1_000_000,
            "most_bytes": str(rag_settings().ingestion.max_bytes),
            "homeless": not visible_collections(request.user).exists(),
            "may_add_collection": request.user.has_perm("ingestion.add_collection"),
            "more_is_filled": bool(form.errors or any(form[name].value() for name in form.OPTIONAL)),
        }
        return TemplateResponse(request, "admin/ingestion/document/upload.html", context)

    def _take(self, request: HttpRequest, form: UploadForm) -> None:
        collection = form.cleaned_data["collection"]
        files = take_files(
            form.cleaned_data["originals"],
            request.POST.getlist("purpose"),
            when_taken=form.cleaned_data["when_taken"],
            collection=collection,
            author=request.user,
            wishes=form.wishes(),
        )
        kept = []
        for file in files:
            if file.document and file.outcome != "unchanged":
                self.log_addition(request, file.document, gettext("Uploaded."))
            kept.append(_kept(file))
        request.session[_KEPT] = {"collection": collection.slug, "files": kept}

    def uploaded_view(self, request: HttpRequest) -> HttpResponse:
        """The last upload of this session, as its documents are now."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        kept = request.session.get(_KEPT)
        if not kept:
            return redirect("admin:ingestion_document_upload")
        rows = self._rows(request, kept["files"])
        documents = [row for row in rows if row.document]
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Uploaded files"),
            "rows": rows,
            "collection": kept["collection"],
            "total": len(documents),
            "ready": sum(row.ready for row in documents),
            "moving": any(row.moving for row in rows),
            "refused": sum(row.outcome == "refused" for row in rows),
            "undecided": sum(row.outcome == "undecided" for row in rows),
        }
        return TemplateResponse(request, "admin/ingestion/document/uploaded.html", context)

    def _rows(self, request: HttpRequest, files: Iterable[dict[str, Any]]) -> list[UploadRow]:
        """A document that was deleted meanwhile, or is hidden by now, has no row."""
        files = list(files)
        keys = [key for file in files for key in (file["document"], *file["candidates"]) if key]
        documents = self.get_queryset(request).in_bulk(keys)
        unfinished = Job.objects.filter(document__in=documents, status__in=[Job.Status.QUEUED, Job.Status.RUNNING])
        jobs = {job.document_id: job for job in unfinished}
        return [
            UploadRow(
                name=file["name"],
                outcome=file["outcome"],
                error=file["error"],
                document=documents.get(file["document"]),
                job=jobs.get(file["document"]),
                candidates=[documents[key] for key in file["candidates"] if key in documents],
            )
            for file in files
            if not file["document"] or file["document"] in documents
        ]


def _kept(file: Taken) -> dict[str, Any]:
    number = file.document.pk if file.document else None
    candidates = [document.pk for document in file.candidates]
    return {
        "name": file.name,
        "outcome": file.outcome,
        "error": file.error,
        "document": number,
        "candidates": candidates,
    }


def _initial(request: HttpRequest) -> dict[str, Any]:
    return {"slug": request.GET.get("collection", ""), "when_taken": request.GET.get("when_taken", "")}
