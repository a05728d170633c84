from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ingestion.api.filters import JobFiltersSerializer
from ingestion.api.serializers import JobDetailSerializer, JobSerializer
from ingestion.models import Job
from ingestion.selectors import visible_jobs
from ingestion.services.jobs import cancel_job, retry_job
from knowledgetree.http.query_filters import read_filters
from knowledgetree.problems import problems


@extend_schema(
    summary="Background work, newest first",
    parameters=[JobFiltersSerializer],
    responses={200: JobSerializer(many=True), **problems(400, 403)},
)
class JobListView(ListAPIView[Job]):
    scopes = {"GET": "documents:read"}
    editor_permissions = {"GET": "ingestion.view_job"}
    serializer_class = JobSerializer
    queryset = Job.objects.none()

    def get_queryset(self) -> QuerySet[Job]:
        return visible_jobs(self.request.user).filter(**read_filters(JobFiltersSerializer, self.request))


@extend_schema(
    summary="How far a job is, and its last attempts", responses={200: JobDetailSerializer, **problems(403, 404)}
)
class JobDetailView(RetrieveAPIView[Job]):
    scopes = {"GET": "documents:read"}
    editor_permissions = {"GET": "ingestion.view_job"}
    serializer_class = JobDetailSerializer
    queryset = Job.objects.none()

    def get_queryset(self) -> QuerySet[Job]:
        return visible_jobs(self.request.user)


class JobActionView(APIView):
    """What an editor does to one job; doing it twice is doing it once."""

    scopes = {"POST": "documents:write"}
    editor_permissions = {"POST": "ingestion.change_job"}

    def job(self) -> Job:
        return get_object_or_404(visible_jobs(self.request.user), pk=self.kwargs["pk"])

    def answer(self, job: Job) -> Response:
        job.refresh_from_db()
        return Response(JobSerializer(job).data, status=status.HTTP_202_ACCEPTED)


class JobRetryView(JobActionView):
    @extend_schema(
        summary="Try a failed or cancelled job again",
        description="Editors only. A job that waits or runs already is returned as it is; 409 for one that succeeded, "
        "or where a newer one for the same thing waits.",
        request=None,
        responses={202: JobSerializer, **problems(403, 404, 409)},
    )
    def post(self, request: Request, **kwargs: Any) -> Response:
        job = self.job()
        if job.status not in {Job.Status.QUEUED, Job.Status.RUNNING}:
            retry_job(job=job)
        return self.answer(job)


class JobCancelView(JobActionView):
    @extend_schema(
        summary="Cancel a job that waits or runs",
        description="Editors only. A running one ends at its next sign of progress. One that was cancelled is returned "
        "as it is; 409 for one that has ended.",
        request=None,
        responses={202: JobSerializer, **problems(403, 404, 409)},
    )
    def post(self, request: Request, **kwargs: Any) -> Response:
        job = self.job()
        if job.status != Job.Status.CANCELLED:
            cancel_job(job=job)
        return self.answer(job)
