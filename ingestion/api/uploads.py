"""The fields of an upload (multipart/form-data)."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from ingestion.api.document_fields import checked_metadata
from ingestion.errors import DocumentTooLarge
from ingestion.models import Collection, Document
from ingestion.selectors import visible_collections
from ingestion.services.files.uploads import Purpose
from knowledgetree.conf import rag_settings
from knowledgetree.http.json_body import STORABLE_FIELDS
from knowledgetree.http.visible_rows import VisibleRowField


class VisibleCollectionField(VisibleRowField[Collection]):
    """A collection by its identifier."""

    def __init__(self, **options: Any) -> None:
        super().__init__(visible_collections, model=Collection, slug_field="slug", **options)


class UploadSerializer(serializers.ModelSerializer[Document]):
    serializer_field_mapping = STORABLE_FIELDS
    file = serializers.FileField(allow_empty_file=True)
    collection = VisibleCollectionField()
    uri = serializers.CharField(
        required=False,
        max_length=2000,
        help_text="The same URI again is the same document, whatever its file is called.",
    )
    new_version_of = serializers.IntegerField(required=False, help_text="The document that this is a new version of.")
    another = serializers.BooleanField(
        required=False, help_text="Another document, although the collection has one of this file name."
    )
    title = serializers.CharField(required=False, max_length=500)
    tags = serializers.ListField(child=serializers.CharField(max_length=60), required=False)

    class Meta:
        model = Document
        fields = [
            "file", "collection", "uri", "new_version_of", "another", "title", "category", "tags",
            "version", "valid_from", "valid_to", "language", "metadata",
        ]  # fmt: skip
        validators: list[Any] = []  # the same URI again is not an error: it replaces

    def validate_file(self, file: UploadedFile[bytes]) -> UploadedFile[bytes]:
        """Refuse by size before the content is read."""
        limit = rag_settings().ingestion.max_bytes
        if file.size is not None and file.size > limit:
            raise DocumentTooLarge(_("%(name)s is larger than %(limit)s bytes.") % {"name": file.name, "limit": limit})
        return file

    def validate_metadata(self, metadata: Any) -> dict[str, Any]:
        return checked_metadata(metadata)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        start, end = attrs.get("valid_from"), attrs.get("valid_to")
        if start and end and end < start:
            raise serializers.ValidationError({"valid_to": _("“Valid to” must not be before “valid from”.")})
        if sum(bool(attrs.get(name)) for name in ("uri", "new_version_of", "another")) > 1:
            raise serializers.ValidationError(_("Give one of uri, new_version_of and another."))
        return attrs

    def purpose(self) -> Purpose:
        """What the file is for; taken out of the validated fields."""
        taken = {name: self.validated_data.pop(name, None) for name in ("uri", "new_version_of", "another")}
        return Purpose(uri=taken["uri"] or "", version_of=taken["new_version_of"], another=bool(taken["another"]))
