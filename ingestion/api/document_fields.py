"""What an editor sets of a document in JSON, as the admin's form does it: by the service, and it stays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django.contrib.auth.models import AnonymousUser, Group, User
from django.utils.translation import gettext as _
from rest_framework import serializers

from ingestion.library.seen_documents import SeenDocument
from ingestion.models import Document
from ingestion.models.descriptions import FIELDS, READ, READERS, DescribedFields
from ingestion.models.viewers import Viewer
from ingestion.selectors.clearance import includes
from ingestion.services.editing import edit_document, take_back_field
from ingestion.services.rights import KEEP_YOURSELF, set_document_rights
from ingestion.types import Readers
from knowledgetree.http.json_body import STORABLE_FIELDS


def checked_metadata(metadata: Any) -> dict[str, Any]:
    """Raises ValidationError for what is no object."""
    if not isinstance(metadata, dict):
        raise serializers.ValidationError(_('Write keys with values in braces, such as {"number": 12}.'))
    return metadata


class ReadersChangeSerializer(serializers.Serializer[Readers]):
    """The groups and accounts that alone may read the document; whoever sets them must be one."""

    groups = serializers.SlugRelatedField[Group](
        slug_field="name", queryset=Group.objects.all(), many=True, required=False
    )
    users = serializers.SlugRelatedField[User](
        slug_field="username", queryset=User.objects.all(), many=True, required=False
    )

    def to_internal_value(self, data: Any) -> Any:
        given = super().to_internal_value(data)
        return Readers(
            groups=frozenset(group.pk for group in given.get("groups", ())),
            users=frozenset(user.pk for user in given.get("users", ())),
        )


class DocumentChangesSerializer(serializers.ModelSerializer[Document]):
    """What is set here is `edited` and stays however the document comes again. Of `metadata` the named keys change,
    null takes one out. `take_back` names fields of `edited` that have their own value again.
    """

    serializer_field_mapping = STORABLE_FIELDS
    title = serializers.CharField(required=False, max_length=500)
    tags = serializers.ListField(child=serializers.CharField(max_length=60), required=False)
    readers = ReadersChangeSerializer(
        required=False, allow_null=True, write_only=True, help_text="null: all who may read the collection."
    )
    take_back = serializers.ListField(child=serializers.CharField(max_length=300), required=False, write_only=True)

    class Meta:
        model = Document
        fields = [*FIELDS, READERS, "take_back"]

    def __init__(
        self,
        *args: Any,
        seen: SeenDocument | None = None,
        viewer: Viewer | None = None,
        **options: Any,
    ) -> None:
        """`seen`: the document as the `viewer` who changes it reads it."""
        super().__init__(*args, **options)
        self._seen, self._viewer = seen, viewer or AnonymousUser()

    def validate_readers(self, readers: Readers | None) -> Readers | None:
        if not includes(readers, self._viewer):
            raise serializers.ValidationError(KEEP_YOURSELF)
        return readers

    def validate_metadata(self, metadata: Any) -> dict[str, Any]:
        if READ in checked_metadata(metadata):
            raise serializers.ValidationError(_("“extracted” is what the file says of itself; choose another key."))
        return checked_metadata(metadata)

    def update(self, instance: Document, validated_data: dict[str, Any]) -> Document:
        taken_back = validated_data.pop("take_back", ())
        if READERS in validated_data:
            set_document_rights(document=instance, readers=validated_data.pop(READERS), origin="editor")
        if changes := self._changes(instance, validated_data):
            edit_document(document=instance, changes=cast("DescribedFields", changes))
        for name in taken_back:
            take_back_field(document=instance, name=name)
        return instance

    def _changes(self, document: Document, given: Mapping[str, Any]) -> dict[str, Any]:
        """What is sent back as it was read is no change: personal data may have been covered in it."""
        seen = self._seen
        changes = {name: value for name, value in given.items() if name != "metadata" and value != getattr(seen, name)}
        if metadata := given.get("metadata"):
            read = seen.metadata if seen else {}
            own = {key: value for key, value in document.metadata.items() if key != READ}
            new = own | {key: value for key, value in metadata.items() if key not in read or value != read[key]}
            new = {key: value for key, value in new.items() if value is not None or key not in metadata}
            changes |= {"metadata": new} if new != own else {}
        return changes
