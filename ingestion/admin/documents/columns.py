"""What lists and pages show of a document beside its fields."""

from typing import Any

from django.contrib import admin
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ingestion.admin.labels import Colour, coloured, moment
from ingestion.models import Document
from ingestion.models.descriptions import READ

COLOURS: dict[str, Colour] = {
    "queued": "default",
    "processing": "info",
    "ready": "success",
    "failed": "danger",
    "archived": "warning",
}
PREVIEW_CHARACTERS = 20_000


class DocumentColumns:
    @admin.display(description=_("status"), ordering="status")
    def status_label(self, document: Document) -> SafeString:
        return coloured(document.get_status_display(), COLOURS[document.status])

    @admin.display(description=_("what to do"))
    def remedy(self, document: Document) -> SafeString:
        shown = {"message": document.error_message, "code": document.error_code}
        return render_to_string("admin/ingestion/failure.html", shown)

    @admin.display(description=_("changed"), ordering="modified")
    def changed(self, document: Document) -> str:
        return moment(document.modified)

    @admin.display(description=_("warnings"))
    def remarks(self, document: Document) -> str:
        return " ".join(map(str, document.warnings)) or "–"

    @admin.display(description=_("chunks"), ordering="chunk_count")
    def chunks_link(self, document: Document) -> SafeString:
        return render_to_string("admin/ingestion/document/chunks.html", {"document": document})

    @admin.display(description=_("said by the file"))
    def said_by_file(self, document: Document) -> SafeString:
        said = document.metadata.get(READ, {})
        return render_to_string("admin/ingestion/document/said_by_file.html", {"said": said})

    @admin.display(description=_("jobs"))
    def latest_jobs(self, document: Document) -> SafeString:
        return render_to_string("admin/ingestion/document/jobs.html", {"jobs": document.jobs.all()[:5]})

    @admin.display(description=_("extracted text"))
    def preview(self, document: Document) -> SafeString:
        """The beginning of what was read from the file: a bad extraction shows here first."""
        shown: dict[str, Any] = {
            "extractions": document.extractions.order_by("pk"),
            "length": PREVIEW_CHARACTERS,
        }
        return render_to_string("admin/ingestion/document/preview.html", shown)
