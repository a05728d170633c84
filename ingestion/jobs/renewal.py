"""What the jobs have in common that change the index while it serves, batch by batch."""

import time
from typing import TypeVar

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy

from ingestion.errors import ActivationRefused
from ingestion.jobs.ending import forget_failures, put_back, retry_later
from ingestion.jobs.slices import Slice
from ingestion.models import EmbeddingSpace, Job, Rechunking
from knowledgetree.conf import rag_settings

_LONGEST_WAIT = 600.0  # seconds between attempts
Renewed = TypeVar("Renewed", EmbeddingSpace, Rechunking)


class RenewalSlice(Slice[Renewed]):
    """What fails is tried again later; only a golden set that refuses, or cannot be measured, is final."""

    gave_up = gettext_lazy("The worker ended %(n)d times without a batch done.")

    @property
    def row(self) -> "QuerySet[Renewed]":
        """The subject's own, which says what is wrong."""
        return type(self.subject).objects.filter(pk=self.subject.pk)

    def settle(self, error: Exception) -> None:
        code, message = self.explain(error)
        if isinstance(error, ActivationRefused):
            self.fail(code, message)
            return
        with transaction.atomic():
            first = rag_settings().reembedding.retry_seconds
            retry_later(self.job, code, message, first=first, longest=_LONGEST_WAIT)
            self.row.update(error=message)

    def put_down(self) -> None:
        put_back(self.job)

    def get_on(self) -> None:
        """Something is done for good: what went wrong earlier does not count any more."""
        forget_failures(self.job)
        if self.subject.error:
            self.subject.error = ""
            self.row.update(error="")


class Pace:
    """How many a second are done since it was made; of a job that has just gone on, what it said before."""

    def __init__(self, job: Job, first: int | None = None) -> None:
        self._job, self._first, self._begun = job, first, time.monotonic()

    def at(self, done: int) -> float | None:
        self._first = done if self._first is None else self._first
        if done <= self._first:
            return self._job.rate
        return (done - self._first) / (time.monotonic() - self._begun)
