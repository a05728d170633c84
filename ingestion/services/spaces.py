"""What a person does with an embedding space. The work itself is a job's; these say what is wanted."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingestion.embedding.protocol import Embedder
from ingestion.errors import SpaceError
from ingestion.index.serving import HANDOVER
from ingestion.index.spaces import lock_spaces, space_fields
from ingestion.jobs.queue import cancel_waiting, want_job
from ingestion.models import ChunkEmbedding, EmbeddingSpace, Job
from ingestion.renewal.gate import check_gate
from ingestion.renewal.reembedding.indexing import drop_index
from knowledgetree.components import component

_Status = EmbeddingSpace.Status
_DELETED_AT_ONCE = 10_000  # vectors
_REMEDIES: dict[str, Promise] = {
    _Status.ACTIVE: gettext_lazy("Activate another space first, or roll back."),
    _Status.RETIRED: gettext_lazy("Activate it; what it lacks is computed then."),
}


@transaction.atomic
def create_space(
    *,
    embedder: str,
    options: Mapping[str, Any] | None = None,
    sentence_vectors: bool = False,
    name: str = "",
    queue: bool = True,
) -> EmbeddingSpace:
    """A space for the vectors of `embedder` (its name in the settings) with `options`, and the job that fills it.

    Without `queue` the caller runs the job itself. Raises SpaceError for a name that is taken, and what the embedder
    raises where it cannot be loaded.
    """
    built: Embedder = component("embedders", embedder, options)
    name = name or _free_name(embedder)
    if EmbeddingSpace.objects.filter(name=name).exists():
        raise SpaceError(_("There is a space called %(name)s already.") % {"name": name})
    space = EmbeddingSpace.objects.create(name=name, sentence_vectors=sentence_vectors, **space_fields(embedder, built))
    want_job(Job.Kind.REEMBED, queue=queue, space=space)
    return space


@transaction.atomic
def fill_space(*, space: EmbeddingSpace, queue: bool = True) -> Job:
    """The job that computes what the space lacks; the one that waits or runs, if there is one."""
    space = _locked(space, _Status.BUILDING, _Status.ACTIVE)
    if space.paused:
        raise SpaceError(_("The space %(space)s is paused.") % {"space": space}, remedy=_("Resume it first."))
    return want_job(Job.Kind.REEMBED, queue=queue, space=space)


@transaction.atomic
def pause_space(*, space: EmbeddingSpace) -> None:
    """The filling stops after the batch it is at. Documents that come meanwhile are made up for later."""
    space = _locked(space, _Status.BUILDING)
    _update(space, paused=True)


@transaction.atomic
def resume_space(*, space: EmbeddingSpace, queue: bool = True) -> Job:
    """Go on where it stopped; also after an error, without waiting for the next attempt."""
    space = _locked(space, _Status.BUILDING)
    _update(space, paused=False, error="")
    return want_job(Job.Kind.REEMBED, queue=queue, space=space)


@transaction.atomic
def activate_space(*, space: EmbeddingSpace, gate: str = "", margin: float = 0.01, queue: bool = True) -> Job:
    """Have the space filled, indexed and then made the active one, in this order and by a job.

    `gate`: the golden set that must not lose more than `margin` nDCG@10. A retired space comes back the same way.
    """
    space = _locked(space, _Status.BUILDING, _Status.RETIRED)
    check_gate(gate, refusal=SpaceError)
    _update(
        space, status=_Status.BUILDING, paused=False, error="", activate_when_full=True, gate=gate, gate_margin=margin
    )
    return want_job(Job.Kind.REEMBED, queue=queue, space=space)


def roll_back(*, queue: bool = True) -> Job:
    """Make the space that was active before the active one again, once it has what it missed since.

    Raises SpaceError where there is none.
    """
    before = EmbeddingSpace.objects.filter(status=_Status.RETIRED, activated__isnull=False).order_by("-retired")
    space = before.first()
    if space is None:
        raise SpaceError(
            _("There is no earlier space to go back to."),
            remedy=_("It was dropped, or there never was one; build a new one instead."),
        )
    return activate_space(space=space, queue=queue)


@transaction.atomic
def retire_space(*, space: EmbeddingSpace) -> None:
    """Give up building it; its vectors stay until it is dropped."""
    lock_spaces()
    space = _locked(space, _Status.BUILDING)
    _update(space, status=_Status.RETIRED, paused=False, activate_when_full=False, retired=timezone.now())
    cancel_waiting(space.jobs.all())


def drop_space(*, space: EmbeddingSpace) -> None:
    """Delete its vectors, its index and its row; not inside a transaction. Broken off, it can be repeated.

    Raises SpaceError for the active space, and in the first minute after it was: searches may be under way in it.
    """
    space = EmbeddingSpace.objects.get(pk=space.pk)
    if space.status == _Status.BUILDING:
        retire_space(space=space)
    elif space.activated and space.retired and timezone.now() < space.retired + HANDOVER:
        raise SpaceError(
            _("The space %(space)s was active a moment ago; searches may still run in it.") % {"space": space},
            remedy=_("Drop it in a minute."),
        )
    with transaction.atomic():
        _locked(space, _Status.RETIRED)
    drop_index(space)
    while _delete_vectors(space):
        pass
    with transaction.atomic():
        lock_spaces()
        _locked(space, _Status.RETIRED).delete()


def _delete_vectors(space: EmbeddingSpace) -> int:
    batch = ChunkEmbedding.objects.filter(space=space, space__status=_Status.RETIRED).values("pk")[:_DELETED_AT_ONCE]
    deleted, _by_model = ChunkEmbedding.objects.filter(pk__in=batch).delete()
    return deleted


def _locked(space: EmbeddingSpace, *allowed: EmbeddingSpace.Status) -> EmbeddingSpace:
    """The row as it is now, locked. Raises SpaceError where its status does not allow what is wanted."""
    current = EmbeddingSpace.objects.select_for_update(no_key=True).get(pk=space.pk)
    if current.status not in allowed:
        raise SpaceError(
            _("The space %(space)s is %(status)s; this needs one that is %(allowed)s.")
            % {
                "space": current,
                "status": current.get_status_display(),
                "allowed": " / ".join(str(status.label) for status in allowed),
            },
            remedy=_REMEDIES.get(current.status, ""),
        )
    return current


def _update(space: EmbeddingSpace, **fields: Any) -> None:
    EmbeddingSpace.objects.filter(pk=space.pk).update(**fields)


def _free_name(embedder: str) -> str:
    base = slugify(embedder.rpartition(".")[2].replace("_", "-"))[:70]
    taken = set(EmbeddingSpace.objects.filter(name__startswith=base).values_list("name", flat=True))
    return next(name for n in range(1, len(taken) + 2) if (name := f"{base}-{n}") not in taken)
