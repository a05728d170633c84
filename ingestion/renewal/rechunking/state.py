"""How far a change of chunking is, and what it changes, as people see it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from ingestion.chunking.splitting import Chunking, stored_chunking
from ingestion.models import Job, Rechunking

_UNFINISHED = (Job.Status.QUEUED, Job.Status.RUNNING)


@dataclass(frozen=True, slots=True, kw_only=True)
class RechunkingState:
    """`job`: the latest; `rate`: documents a second while it runs; `ends`: when the last one will be done."""

    rechunking: Rechunking
    job: Job | None = None
    rate: float | None = None
    ends: datetime | None = None

    @property
    def running(self) -> bool:
        return self.rechunking.status == Rechunking.Status.RUNNING


@dataclass(frozen=True, slots=True, kw_only=True)
class PartState:
    """What changes in some collections, in words; `collections` are their names, joined."""

    collections: str
    before: str
    after: str


def rechunking_state(rechunking: Rechunking) -> RechunkingState:
    job = rechunking.jobs.order_by("-created").first()
    going = job is not None and job.status in _UNFINISHED and rechunking.status == Rechunking.Status.RUNNING
    rate = job.rate if job and going else None
    left = rechunking.total - rechunking.done
    ends = timezone.now() + timedelta(seconds=left / rate) if rate and left > 0 else None
    return RechunkingState(rechunking=rechunking, job=job, rate=rate, ends=ends)


def part_states(rechunking: Rechunking) -> list[PartState]:
    """Collections with the same change together, by name; whoever is shown them may read them all."""
    names: dict[tuple[str, str], list[str]] = {}
    for part in rechunking.parts.select_related("collection").order_by("collection__name"):
        change = (stored_in_words(part.before), stored_in_words(part.after))
        names.setdefault(change, []).append(str(part.collection))
    return [
        PartState(collections=", ".join(collections), before=before, after=after)
        for (before, after), collections in names.items()
    ]


def stored_in_words(stored: Mapping[str, Any]) -> str:
    chunking = stored_chunking(stored)
    return in_words(chunking) if chunking else _("as the settings say")


def in_words(chunking: Chunking) -> str:
    """In one line."""
    words = _("%(chunker)s, %(size)d tokens, overlap %(overlap)d") % {
        "chunker": chunking.chunker,
        "size": chunking.chunk_size,
        "overlap": chunking.overlap,
    }
    return words + "".join(f", {name}={value}" for name, value in chunking.options.items())
