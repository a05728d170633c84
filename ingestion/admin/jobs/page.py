"""The page of one job: how far it is, what went wrong and what to do, the tries before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import quote
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import URLPattern, path

from ingestion.admin.jobs.columns import COLOURS, OUTCOME_COLOURS, progress, tries_of
from ingestion.jobs.attempts import attempts_of
from ingestion.models import Job

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin

    class Base(ModelAdmin[Job]):
        def has_retry_permission(self, request: HttpRequest) -> bool: ...
        def acts(self) -> dict[str, Callable[[HttpRequest, QuerySet[Job]], None]]: ...
else:
    Base = object

_SHOWN = 10
_UNFINISHED = (Job.Status.QUEUED, Job.Status.RUNNING)
_RETRIED = (Job.Status.FAILED, Job.Status.CANCELLED)


class JobPage(Base):
    change_form_outer_before_template = "admin/ingestion/job/panel.html"

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.act_view)
        return [path("<uuid:pk>/act/<slug:verb>/", view, name="ingestion_job_act"), *super().get_urls()]

    def act_view(self, request: HttpRequest, pk: Any, verb: str) -> HttpResponse:
        """`verb` is retry or cancel; back to the job, which says what came of it."""
        act = self.acts().get(verb)
        jobs = self.get_queryset(request).filter(pk=pk)
        if act is None or not jobs.exists():
            raise Http404
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not self.has_retry_permission(request):
            raise PermissionDenied
        act(request, jobs)
        return redirect("admin:ingestion_job_change", quote(str(pk)))

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        if job := context["original"]:
            context["panel"] = self._panel(request, job)
        return super().render_change_form(request, context, *args, **kwargs)

    def _panel(self, request: HttpRequest, job: Job) -> dict[str, Any]:
        may = self.has_retry_permission(request)
        return {
            "job": job,
            "colour": COLOURS[job.status],
            "moving": job.status in _UNFINISHED,
            "progress": progress(job),
            "tries": tries_of(job),
            "retry": may and job.status in _RETRIED,
            "cancel": may and job.status in _UNFINISHED,
            "attempts": [(attempt, OUTCOME_COLOURS[attempt.outcome]) for attempt in attempts_of(job)],
            "others": [(other, COLOURS[other.status]) for other in self._others(request, job)],
            "acts": self._acts(job),
        }

    def _others(self, request: HttpRequest, job: Job) -> QuerySet[Job]:
        """Of the same document, source, space or change of chunking: what was tried before, or since."""
        same = Q(pk__in=[])
        for name in ("document", "source", "space", "rechunking"):
            if key := getattr(job, f"{name}_id"):
                same |= Q(**{name: key})
        return self.get_queryset(request).filter(same).exclude(pk=job.pk)[:_SHOWN]

    def _acts(self, job: Job) -> QuerySet[LogEntry]:
        """Who tried it again or cancelled it, newest first."""
        kind = ContentType.objects.get_for_model(Job)
        return LogEntry.objects.filter(content_type=kind, object_id=str(job.pk)).select_related("user")[:_SHOWN]
