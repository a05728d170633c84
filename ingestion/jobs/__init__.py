"""Every entry point of the task queue: thin, idempotent, called with primary keys only.

The queue and its schedules know the names that stand here.
"""

from ingestion.index.packing import pack_postings
from ingestion.jobs.maintenance import maintain_index, renew_names
from ingestion.jobs.queue import enqueue
from ingestion.jobs.recovery import recover_jobs
from ingestion.jobs.running import run_job
from ingestion.jobs.syncing import start_scheduled_sync, start_sync

__all__ = [
    "enqueue",
    "maintain_index",
    "pack_postings",
    "recover_jobs",
    "renew_names",
    "run_job",
    "start_scheduled_sync",
    "start_sync",
]
