from collections.abc import Callable
from contextlib import suppress
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms.widgets import Script
from django.http import HttpRequest, JsonResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ingestion.admin.base import ReadOnlyAdmin
from ingestion.admin.filters import CollectionFilter
from ingestion.admin.jobs.columns import LIVE, queued
from ingestion.admin.jobs.page import JobPage
from ingestion.admin.labels import live_cells
from ingestion.models import Job
from ingestion.selectors import visible_jobs
from ingestion.services.jobs import cancel_job, retry_job
from knowledgetree.errors import KnowledgeTreeError


@admin.register(Job)
class JobAdmin(JobPage, ReadOnlyAdmin[Job]):
    list_display = ["what", *LIVE, queued]
    list_filter = ["status", CollectionFilter, "kind"]
    list_select_related = ["document", "collection", "space", "rechunking", "source"]
    list_before_template = "admin/ingestion/job/live.html"
    search_fields = ["document__title", "error_message"]
    actions = ["retry", "cancel"]

    class Media:
        js = [Script(f"admin/knowledgetree/{name}.js", type="module") for name in ("jobs", "live")]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Job]:
        return visible_jobs(request.user)

    def get_fields(self, request: HttpRequest, obj: Job | None = None) -> list[Any]:
        links = [name for name in ("document", "source") if obj and getattr(obj, f"{name}_id")]
        return [*(f"{name}_link" for name in links), "error_code", "created", "started", "finished"]

    def get_urls(self) -> list[URLPattern]:
        progress = self.admin_site.admin_view(self.progress_view)
        return [path("progress/", progress, name="ingestion_job_progress"), *super().get_urls()]

    def progress_view(self, request: HttpRequest) -> JsonResponse:
        """The live cells, as HTML by column, of the jobs in `?id=`; `settled`: none of them can change."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        keys = [key for key in map(_uuid, request.GET.getlist("id")[: self.list_per_page]) if key]
        jobs = self.get_queryset(request).filter(pk__in=keys)
        rows = {str(job.pk): live_cells(job, LIVE) for job in jobs}
        settled = not jobs.filter(status__in=[Job.Status.QUEUED, Job.Status.RUNNING]).exists()
        return JsonResponse({"rows": rows, "settled": settled})

    def has_retry_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("ingestion.change_job")

    @admin.action(description=_("Try again"), permissions=["retry"])
    def retry(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        done = self._for_each(request, queryset, lambda job: retry_job(job=job), gettext("Tried again."))
        if done:
            self.message_user(
                request, ngettext("%(n)d job queued again.", "%(n)d jobs queued again.", done) % {"n": done}
            )

    @admin.action(description=_("Cancel"), permissions=["retry"])
    def cancel(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        done = self._for_each(request, queryset, lambda job: cancel_job(job=job), gettext("Cancelled."))
        if done:
            self.message_user(request, ngettext("%(n)d job cancelled.", "%(n)d jobs cancelled.", done) % {"n": done})

    def acts(self) -> dict[str, Callable[[HttpRequest, QuerySet[Job]], None]]:
        return {"retry": self.retry, "cancel": self.cancel}

    def _for_each(self, request: HttpRequest, jobs: QuerySet[Job], act: Callable[[Job], Any], logged: str) -> int:
        """How many jobs `act` succeeded for; the others say why not."""
        done = 0
        for job in jobs:
            try:
                act(job)
            except KnowledgeTreeError as error:
                self.message_user(request, f"{job}: {error}", messages.ERROR)
            else:
                self.log_change(request, job, logged)
                done += 1
        return done

    @admin.display(description=_("job"))
    def what(self, job: Job) -> str:
        return str(job)

    @admin.display(description=_("document"))
    def document_link(self, job: Job) -> SafeString:
        return _link("admin:ingestion_document_change", job.document_id, job.document)

    @admin.display(description=_("source"))
    def source_link(self, job: Job) -> SafeString:
        return _link("admin:ingestion_source_change", job.source_id, job.source)


def _link(page: str, key: int | None, text: object) -> SafeString:
    return format_html('<a href="{}" class="text-link">{}</a>', reverse(page, args=[key]), text)


def _uuid(text: str) -> UUID | None:
    with suppress(ValueError):
        return UUID(text)
    return None
