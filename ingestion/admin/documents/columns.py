"""What lists and pages show of a document beside its fields."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ingestion.admin.chunks.finding_columns import personal_data_found, similar_documents, who_sees
from ingestion.admin.labels import Colour, coloured, moment
from ingestion.library.validity.proposals import shown_proposals
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


@admin.display(description=_("status"), ordering="status")
def status_label(document: Document) -> SafeString:
    return coloured(document.get_status_display(), COLOURS[document.status])


@admin.display(description=_("what to do"))
def remedy(document: Document) -> SafeString:
    failed = document.status == Document.Status.FAILED
    shown = {"message": document.error_message, "code": document.error_code, "mended": document.pk if failed else None}
    return render_to_string("admin/ingestion/failure.html", shown)


@admin.display(description=_("changed"), ordering="modified")
def changed(document: Document) -> str:
    return moment(document.modified)


@admin.display(description=_("warnings"))
def remarks(document: Document) -> str:
    return " ".join(map(str, document.warnings)) or "–"


@admin.display(description=_("chunks"), ordering="chunk_count")
def chunks_link(document: Document) -> SafeString:
    return render_to_string("admin/ingestion/document/chunks.html", {"document": document})


@admin.display(description=_("said by the file"))
def said_by_file(document: Document) -> SafeString:
    said = document.metadata.get(READ, {})
    return render_to_string("admin/ingestion/document/said_by_file.html", {"said": said})


@admin.display(description=_("jobs"))
def latest_jobs(document: Document) -> SafeString:
    return render_to_string("admin/ingestion/document/jobs.html", {"jobs": document.jobs.all()[:5]})


@admin.display(description=_("extracted text"))
def preview(document: Document) -> SafeString:
    """The beginning of what was read from the file: a bad extraction shows here first."""
    shown: dict[str, Any] = {
        "extractions": document.extractions.order_by("pk"),
        "length": PREVIEW_CHARACTERS,
    }
    return render_to_string("admin/ingestion/document/preview.html", shown)


@admin.display(description=_("validity by its text"))
def proposed_validity(document: Document) -> SafeString:
    """What texts say of its validity and nobody decided about. It depends on `document.viewer`, the editor."""
    viewer = getattr(document, "viewer", None) or AnonymousUser()
    shown = {
        "proposals": shown_proposals(viewer, [document.pk]).get(document.pk, []),
        "may_decide": viewer.has_perm("ingestion.change_document"),
        "document": document,
    }
    return render_to_string("admin/ingestion/document/proposed_validity.html", shown)


LIST: list[Any] = ["title", "file_name", "collection", status_label, chunks_link, remedy, changed]
READ_ONLY: list[Any] = [
    "collection", "source", "uri", "file_name", "media_type", "size", "checksum", status_label,
    remedy, remarks, chunks_link, latest_jobs, preview, "version_list", who_sees,
    similar_documents, personal_data_found, said_by_file, proposed_validity, "created", "modified", "indexed",
]  # fmt: skip
FIELDSETS: list[Any] = [
    (
        None,
        {
            "fields": [
                "title", "collection", "category", "tags", "valid_from", "valid_to", proposed_validity, "language",
            ]
        },
    ),
    (_("State"), {"fields": [status_label, remedy, remarks, chunks_link, latest_jobs, who_sees]}),
    (_("Found in it"), {"fields": [similar_documents, personal_data_found]}),
    (_("Versions"), {"fields": ["version_list"]}),
    (_("Extracted text"), {"fields": [preview]}),
    (
        _("Origin"),
        {
            "fields": [
                "uri", "version", "source", ("file_name", "media_type", "size"), "checksum", "metadata",
                said_by_file, ("created", "modified", "indexed"),
            ],
            "classes": ["collapse"],
        },
    ),
]  # fmt: skip
