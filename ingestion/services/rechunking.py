"""What a person does with a change of chunking. The work itself is a job's; these say what is wanted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ingestion.chunking.splitting import Chunking, chunking_of
from ingestion.errors import NothingToRechunk, RechunkingError
from ingestion.jobs.queue import cancel_waiting, want_job
from ingestion.models import Collection, Job, RechunkedCollection, Rechunking
from ingestion.renewal.gate import activation_gate, check_gate
from ingestion.renewal.rechunking.pending_documents import pending_documents
from ingestion.renewal.rechunking.turning import lock_rechunking, turn_back
from knowledgetree.conf import rag_settings
from knowledgetree.postgres.locks import Lock, hold

_Status = Rechunking.Status
_SIZES = range(8, 8193)  # tokens; a chunk must be larger than a few words and fit what models read


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """How texts shall be split; what is not said stays as each collection has it. `as_settings`: all as the settings
    say, now and whenever they change.
    """

    chunker: str = ""
    chunk_size: int | None = None
    overlap: int | None = None
    options: Mapping[str, Any] | None = None
    as_settings: bool = False

    def stored_for(self, collection: Collection) -> Mapping[str, Any]:
        """What `Collection.chunking` says then. Raises RechunkingError for a chunking that cannot be."""
        if self.as_settings:
            return {}
        if not self.chunker and self.chunk_size is None and self.overlap is None and self.options is None:
            stored: Mapping[str, Any] = collection.chunking
            return stored
        now = chunking_of(collection, rag_settings().ingestion.chunking)
        kept = now.options if self.chunker in {"", now.chunker} else {}
        wanted = Chunking(
            chunker=self.chunker or now.chunker,
            chunk_size=now.chunk_size if self.chunk_size is None else self.chunk_size,
            overlap=now.overlap if self.overlap is None else self.overlap,
            options=kept if self.options is None else self.options,
        )
        check_chunking(wanted)
        return wanted.stored()


def check_chunking(chunking: Chunking) -> None:
    """Raises RechunkingError, saying what is wrong."""
    known = sorted(rag_settings().components.get("chunkers", {}))
    if chunking.chunker not in known:
        raise RechunkingError(
            _("There is no chunker called %(name)s.") % {"name": chunking.chunker},
            remedy=_("Known: %(names)s.") % {"names": ", ".join(known)},
        )
    if chunking.chunk_size not in _SIZES or not 0 <= chunking.overlap < chunking.chunk_size:
        raise RechunkingError(
            _("A chunk has from %(least)d to %(most)d tokens, and neighbours share fewer than that.")
            % {"least": _SIZES[0], "most": _SIZES[-1]}
        )
    try:
        chunking.build()
    except (ImproperlyConfigured, ValueError, TypeError) as error:
        raise RechunkingError(
            _("The chunker %(name)s refuses these options: %(error)s") % {"name": chunking.chunker, "error": error}
        ) from error


@transaction.atomic
def start_rechunking(
    *, collections: Sequence[Collection], wish: Wish, gate: str = "", margin: float = 0.01, queue: bool = True
) -> Rechunking:
    """Have the documents of the collections split as wished, by a job; without `queue` the caller runs it.

    `gate`: the golden set that must not lose more than `margin` nDCG@10; where it does, the former chunking is put
    back. Raises NothingToRechunk where every document is split like that, RechunkingError for what cannot be.
    """
    hold(Lock.RECHUNKINGS)
    _refuse_while_another_runs()
    _check_gate(gate, collections)
    wanted = [(collection, wish.stored_for(collection)) for collection in collections]
    if not _anything_to_do(wanted):
        raise NothingToRechunk(_("Every document is split like this already."))
    rechunking = Rechunking.objects.create(gate=gate, gate_margin=margin)
    RechunkedCollection.objects.bulk_create(
        RechunkedCollection(rechunking=rechunking, collection=collection, before=collection.chunking, after=after)
        for collection, after in wanted
    )
    want_job(Job.Kind.RECHUNK, queue=queue, rechunking=rechunking)
    return rechunking


@transaction.atomic
def pause_rechunking(*, rechunking: Rechunking) -> None:
    """It stops after the batch it is at; what is split anew serves beside what is not yet."""
    _set(rechunking, {_Status.RUNNING}, status=_Status.PAUSED)


@transaction.atomic
def resume_rechunking(*, rechunking: Rechunking, queue: bool = True) -> Job:
    """Go on where it stopped; also after an error, without waiting for the next attempt."""
    _set(rechunking, {_Status.RUNNING, _Status.PAUSED, _Status.FAILED}, status=_Status.RUNNING, error="", finished=None)
    return want_job(Job.Kind.RECHUNK, queue=queue, rechunking=rechunking)


@transaction.atomic
def roll_back_rechunking(*, rechunking: Rechunking, queue: bool = True) -> Job | None:
    """Put the former chunking back, by the same way; None where nothing had begun, and nothing is to be done."""
    hold(Lock.RECHUNKINGS)
    now = _in_state(rechunking, {_Status.RUNNING, _Status.PAUSED, _Status.FAILED, _Status.DONE})
    _refuse_while_another_runs(but=now)
    later = Rechunking.objects.filter(pk__gt=now.pk, collections__in=now.collections.all())
    if later.exclude(status=_Status.ROLLED_BACK).exists():
        raise RechunkingError(_("A later change concerns the same collections."), remedy=_("Roll that one back first."))
    if now.started is None:
        now.status, now.finished = _Status.ROLLED_BACK, timezone.now()
        now.save()
        cancel_waiting(now.jobs.all())
        return None
    now.error = ""
    turn_back(now)
    return want_job(Job.Kind.RECHUNK, queue=queue, rechunking=now)


def latest_rechunking() -> Rechunking:
    """The one under way, else the last that was not rolled back. Raises RechunkingError where there is none."""
    found = Rechunking.objects.unfinished().first() or Rechunking.objects.filter(status=_Status.DONE).first()
    if found is None:
        raise RechunkingError(
            _("The chunking was never changed, or every change was rolled back."),
            remedy=_("Start one with: reembed --rechunk --chunker NAME"),
        )
    return found


def _refuse_while_another_runs(but: Rechunking | None = None) -> None:
    other = Rechunking.objects.unfinished().first()
    if other and other != but:
        raise RechunkingError(
            _("The chunking is being changed already (%(which)s, %(status)s).")
            % {"which": other, "status": other.get_status_display()},
            remedy=_("Let it end, resume it, or roll it back."),
        )


def _check_gate(gate: str, collections: Sequence[Collection]) -> None:
    check_gate(gate, refusal=RechunkingError)
    if gate and activation_gate().collections_of(gate).isdisjoint(collection.pk for collection in collections):
        raise RechunkingError(
            _("The golden set %(name)s is measured in a collection that stays as it is.") % {"name": gate},
            remedy=_("Choose one of a collection that is split anew."),
        )


def _anything_to_do(wanted: Sequence[tuple[Collection, Mapping[str, Any]]]) -> bool:
    if any(collection.chunking != after for collection, after in wanted):
        return True
    collections = [collection for collection, _after in wanted]
    return pending_documents(collections, rag_settings().ingestion.chunking).exists()


def _in_state(rechunking: Rechunking, allowed: set[_Status]) -> Rechunking:
    """The row as it is now, locked. Raises RechunkingError where its status does not allow what is wanted."""
    now = lock_rechunking(rechunking)
    if now.status not in allowed:
        raise RechunkingError(
            _("This change of chunking is %(status)s already.") % {"status": now.get_status_display()}
        )
    return now


def _set(rechunking: Rechunking, allowed: set[_Status], **fields: Any) -> None:
    now = _in_state(rechunking, allowed)
    Rechunking.objects.filter(pk=now.pk).update(**fields)
