from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView, RetrieveAPIView

from ingestion.api.access import visible_jobs
from ingestion.api.filters import JobFiltersSerializer, read_filters
from ingestion.api.pagination import Pages
from ingestion.api.permissions import EditorPermission
from ingestion.api.serializers import JobSerializer
from ingestion.models import Job
from knowledgetree.problems import problems


@extend_schema(
    summary="Background work, newest first",
    parameters=[JobFiltersSerializer],
    responses={200: JobSerializer(many=True), **problems(400, 403)},
)
class JobListView(ListAPIView[Job]):
    editor_permissions = {"GET": "ingestion.view_job"}
    permission_classes = [EditorPermission]
    serializer_class = JobSerializer
    pagination_class = Pages
    queryset = Job.objects.none()

    def get_queryset(self) -> QuerySet[Job]:
        return visible_jobs(self.request.user).filter(**read_filters(JobFiltersSerializer, self.request))


@extend_schema(summary="How far a job is", responses={200: JobSerializer, **problems(403, 404)})
class JobDetailView(RetrieveAPIView[Job]):
    editor_permissions = {"GET": "ingestion.view_job"}
    permission_classes = [EditorPermission]
    serializer_class = JobSerializer
    queryset = Job.objects.none()

    def get_queryset(self) -> QuerySet[Job]:
        return visible_jobs(self.request.user)
