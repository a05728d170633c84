"""Who alone may read a document: as its source says it, or as an editor does, whose word stays."""

import hashlib
import json
from typing import Any, Final

from django.contrib.auth.models import Group, User
from django.db import transaction
from django.utils.translation import gettext_lazy

from ingestion.models import Document, Readership
from ingestion.models.descriptions import READERS
from ingestion.types import Origin, Readers
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import record

KEEP_YOURSELF: Final = gettext_lazy(
    "You would not see the document yourself any more: add yourself or a group of yours."
)
"""What an editor is told who would shut themselves out (`ingestion.selectors.clearance.includes`)."""


@transaction.atomic
def set_document_rights(*, document: Document, readers: Readers | None, origin: Origin) -> bool:
    """Let these `readers` alone read the document, of those that may read its collection; None: all of them. Whether
    that is another right than before, which holds once the transaction ends.

    What an editor set stays until an editor takes it back (`take_back_rights`): of a source it is only noted then.
    Keys that no group and no account has open the document to nobody.
    """
    current = Document.objects.select_for_update(of=("self",)).get(pk=document.pk)
    if origin == "source":
        current.given = {**current.given, READERS: _in_json(readers)}
    else:
        current.edited = sorted({*current.edited, READERS})
    if origin == "source" and READERS in current.edited:
        return _keep(current, document, current.readership_id)
    return _keep(current, document, _ensure_readership(readers))


@transaction.atomic
def take_back_rights(*, document: Document) -> bool:
    """Give the document the readers that its source says again, all where it says none; whether an editor had set
    others.
    """
    current = Document.objects.select_for_update(of=("self",)).get(pk=document.pk)
    if READERS not in current.edited:
        return False
    current.edited = [name for name in current.edited if name != READERS]
    _keep(current, document, _ensure_readership(given_readers(current)))
    return True


def given_readers(document: Document) -> Readers | None:
    """The readers that the document's source says; None: it says that all may read it, or nothing."""
    given = document.given.get(READERS)
    return Readers(groups=frozenset(given["groups"]), users=frozenset(given["users"])) if given else None


def _keep(current: Document, document: Document, readership: int | None) -> bool:
    """Write the row, and what changed of it into the caller's `document` too."""
    changed = current.readership_id != readership
    current.readership_id = readership
    current.save(update_fields=["readership", "given", "edited", *(["modified"] if changed else [])])
    for name in ("readership_id", "given", "edited", "modified"):
        setattr(document, name, getattr(current, name))
    if changed:
        record(AuditEntry.Action.UPDATE, documents=[document.pk], details={"fields": [READERS]})
    return changed


def _ensure_readership(readers: Readers | None) -> int | None:
    """The row for `readers`, made where there is none; of their keys those that are somebody's."""
    if readers is None:
        return None
    groups = sorted(Group.objects.filter(pk__in=readers.groups).values_list("pk", flat=True))
    users = sorted(User.objects.filter(pk__in=readers.users).values_list("pk", flat=True))
    digest = hashlib.sha256(json.dumps([groups, users]).encode()).hexdigest()
    row, is_new = Readership.objects.get_or_create(digest=digest)
    if is_new:
        row.groups.set(groups)
        row.users.set(users)
    return row.pk


def _in_json(readers: Readers | None) -> dict[str, Any] | None:
    return {"groups": sorted(readers.groups), "users": sorted(readers.users)} if readers else None
