"""The shapes of the knowledge base in JSON."""

from typing import Any, get_args

from django.db.models import Model
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ingestion.jobs.attempts import attempts_of
from ingestion.models import Chunk, Collection, Document, Job, JobAttempt
from ingestion.types import Origin
from knowledgetree.problems import ProblemSerializer


class SeenSerializer(serializers.ModelSerializer[Any]):
    """The shape of a model, of values that are covered for their viewer (`ingestion.library.seen_documents`)."""

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Raises TypeError for a row: nothing is covered in it."""
        if isinstance(instance, Model):
            raise TypeError(f"{type(self).__name__} writes what a viewer sees, never a row.")
        return super().to_representation(instance)


class DocumentReadersSerializer(serializers.Serializer[Any]):
    """Who alone may read a document of those that may read its collection; without any nobody but administrators."""

    groups = serializers.ListField(child=serializers.CharField(), help_text="Names of groups.")
    users = serializers.ListField(child=serializers.CharField(), help_text="User names.")
    origin = serializers.ChoiceField(
        choices=get_args(Origin), help_text="Whether an editor says so, which stays, or the document's source."
    )


class ProposedValiditySerializer(serializers.Serializer[Any]):
    """A date that a text gives to the document, as its words (`quote`) say, and that nobody decided about. Set it by
    PATCH if it is right.
    """

    field = serializers.ChoiceField(["valid_from", "valid_to"])
    day = serializers.DateField()
    quote = serializers.CharField()
    stated_by = serializers.IntegerField(
        source="stated_by.pk",
        default=None,
        allow_null=True,
        help_text="The other document that says it; null: its own.",
    )


class DocumentSerializer(SeenSerializer):
    """`error_code` and `error_message` say why a failed document failed and what to do."""

    collection = serializers.SlugRelatedField[Collection](slug_field="slug", read_only=True)
    in_force = serializers.BooleanField(read_only=True, help_text="Whether the document is valid today.")
    restricted = serializers.BooleanField(read_only=True, help_text="Whether it has readers of its own.")
    readers = DocumentReadersSerializer(
        read_only=True, allow_null=True, help_text="Its own readers, for editors alone; null: it has none."
    )

    proposed_validity = ProposedValiditySerializer(
        many=True, read_only=True, help_text="For editors alone: what texts say of its validity."
    )

    class Meta:
        model = Document
        fields = [
            "id", "collection", "title", "uri", "file_name", "media_type", "size", "checksum", "language",
            "category", "tags", "version", "valid_from", "valid_to", "in_force", "metadata", "edited", "status",
            "error_code", "error_message", "warnings", "chunk_count", "created", "modified", "indexed",
            "restricted", "readers", "proposed_validity",
        ]  # fmt: skip
        read_only_fields = fields


class ChunkSerializer(SeenSerializer):
    """Characters [start, end) of the extracted text; lines and pages count from 1, both ends inclusive."""

    class Meta:
        model = Chunk
        fields = [
            "id", "ordinal", "kind", "text", "start", "end", "line_start", "line_end", "page_start",
            "page_end", "heading_path", "context_before", "context_after", "enabled",
        ]  # fmt: skip
        read_only_fields = fields


class JobSerializer(serializers.ModelSerializer[Job]):
    class Meta:
        model = Job
        fields = [
            "id", "kind", "document", "status", "stage", "done", "total", "attempts", "heartbeat",
            "error_code", "error_message", "created", "started", "finished",
        ]  # fmt: skip
        read_only_fields = fields


class JobAttemptSerializer(serializers.ModelSerializer[JobAttempt]):
    """`outcome` "interrupted": the worker was killed. One that lets others go first is later gone on with."""

    class Meta:
        model = JobAttempt
        fields = ["started", "finished", "outcome", "error_code", "error_message", "worker"]
        read_only_fields = fields


class JobDetailSerializer(JobSerializer):
    """`log`: the last twenty attempts, newest first."""

    log = serializers.SerializerMethodField()

    class Meta(JobSerializer.Meta):
        fields = [*JobSerializer.Meta.fields, "log"]
        read_only_fields = fields

    @extend_schema_field(JobAttemptSerializer(many=True))
    def get_log(self, job: Job) -> Any:
        return JobAttemptSerializer(attempts_of(job), many=True).data


OUTCOMES = ("new", "version", "fields", "unchanged")


class DocumentWithJobSerializer(serializers.Serializer[Any]):
    """A document after what was done to it; `job` where that goes on in the background."""

    document = DocumentSerializer(read_only=True)
    job = JobSerializer(read_only=True, allow_null=True)


class QueuedDocumentSerializer(serializers.Serializer[Any]):
    """An upload: follow its job under `/api/jobs/{id}`. `unchanged`: the collection has this content already, as the
    document named here; nothing was stored.
    """

    outcome = serializers.ChoiceField(OUTCOMES, read_only=True)
    document = DocumentSerializer(read_only=True)
    job = JobSerializer(read_only=True, allow_null=True)


class CandidateSerializer(SeenSerializer):
    """A document that an uploaded file may be a new version of."""

    class Meta:
        model = Document
        fields = ["id", "title", "uri", "file_name", "size", "status", "modified"]
        read_only_fields = fields


class NameTakenSerializer(ProblemSerializer):
    """`candidates`: what the file may be a new version of, as far as the viewer may see it."""

    candidates = CandidateSerializer(many=True)
