from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ingestion.admin.base import ReadOnlyAdmin
from ingestion.admin.labels import Colour, coloured
from ingestion.models import ChunkEmbedding, EmbeddingSpace

COLOURS: dict[str, Colour] = {"building": "info", "active": "success", "retired": "default"}


@admin.register(EmbeddingSpace)
class EmbeddingSpaceAdmin(ReadOnlyAdmin[EmbeddingSpace]):
    list_display = ["name", "status_label", "embedder", "model", "dimension", "created", "activated"]
    list_filter = ["status"]
    fields = [
        "name", "status_label", "embedder", "model", "dimension", "template_version", "vectors", "fusion",
        "created", "activated",
    ]  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[EmbeddingSpace]:
        """A space holds every collection; it names none."""
        return EmbeddingSpace.objects.all()

    @admin.display(description=_("status"), ordering="status")
    def status_label(self, space: EmbeddingSpace) -> SafeString:
        return coloured(space.get_status_display(), COLOURS[space.status])

    @admin.display(description=_("vectors"))
    def vectors(self, space: EmbeddingSpace) -> int:
        return ChunkEmbedding.objects.filter(space=space).count()
