"""What an editor sets of a document, by a form or with an upload, and takes back again."""

from django.db import transaction

from ingestion.errors import InvalidValidity
from ingestion.models import Document
from ingestion.models.descriptions import READ, READERS, DescribedFields, is_in_order, note_editor, take_back
from ingestion.services.indexing import queue_indexing
from ingestion.services.rights import take_back_rights
from ingestion.services.versions import FormerStanding, settle_former_version, standing_of
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import record


@transaction.atomic
def edit_document(*, document: Document, changes: DescribedFields) -> None:
    """Set the fields, until an editor sets them otherwise or takes them back. A new title is indexed.

    `changes` may have metadata without what the file says of itself; that stays. Raises InvalidValidity.
    """
    current = Document.objects.select_for_update().get(pk=document.pk)
    before, was = current.metadata, standing_of(current)
    for name, value in changes.items():
        setattr(current, name, value)
    if not is_in_order(current.valid_from, current.valid_to):
        raise InvalidValidity
    if READ in before:
        current.metadata = {**current.metadata, READ: before[READ]}
    note_editor(current, changes, metadata_before=before)
    _save(current, {*changes}, was)


@transaction.atomic
def take_back_field(*, document: Document, name: str) -> bool:
    """Give a field that an editor set, or with "metadata.KEY" that key, its own value again; whether one had."""
    if name == READERS:
        return take_back_rights(document=document)
    current = Document.objects.select_for_update().get(pk=document.pk)
    was, names = standing_of(current), take_back(current, name)
    if names:
        _save(current, {name.partition(".")[0] for name in names}, was)
    return bool(names)


def _save(document: Document, names: set[str], was: FormerStanding) -> None:
    """The changed fields alone: the worker may be writing the others."""
    document.save(update_fields=[*names, "edited", "modified"])
    record(AuditEntry.Action.UPDATE, documents=[document.pk], details={"fields": sorted(names)})
    if "version" in names and (newest := document.versions.first()):
        newest.label = document.version
        newest.save(update_fields=["label"])
    unindexed = settle_former_version(document, was)
    if ("title" in names or unindexed) and document.status != Document.Status.ARCHIVED:
        queue_indexing(document)
