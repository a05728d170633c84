"""The switch from one embedding space to another: one short transaction, after everything slow is done."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ingestion.errors import SpaceError
from ingestion.index.spaces import lock_spaces
from ingestion.models import EmbeddingSpace
from ingestion.renewal.gate import activation_gate
from ingestion.renewal.reembedding.indexing import has_index
from ingestion.renewal.reembedding.missing_vectors import is_full
from ingestion.types import Progress

_Status = EmbeddingSpace.Status


def pass_gate(space: EmbeddingSpace, progress: Progress) -> None:
    """Raises ActivationRefused where the golden set that the space names gets worse by it."""
    active = EmbeddingSpace.objects.filter(status=_Status.ACTIVE).first()
    if space.gate and active:
        activation_gate().check(
            space.gate, active=active.pk, candidate=space.pk, margin=space.gate_margin, progress=progress
        )


@transaction.atomic
def switch(space: EmbeddingSpace) -> bool:
    """Make the space the active one. False where a chunk still lacks its vectors, or the index is not there.

    Under the lock no document is written, so that what is full stays full. Raises SpaceError where it was given up.
    """
    lock_spaces()
    space.refresh_from_db()
    if space.status != _Status.BUILDING or space.paused or not space.activate_when_full:
        raise SpaceError(_("The space %(space)s is not waiting for its activation any more.") % {"space": space})
    if not is_full(space) or not has_index(space):
        return False
    now = timezone.now()
    EmbeddingSpace.objects.filter(status=_Status.ACTIVE).update(status=_Status.RETIRED, retired=now)
    space.status, space.activated, space.retired = _Status.ACTIVE, now, None
    space.activate_when_full, space.gate, space.error = False, "", ""
    space.save()
    return True
