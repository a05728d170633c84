"""One slice of a job of any kind: cancelled, given up, done, interrupted, failed. The ladder stands here, once."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from operator import attrgetter
from typing import ClassVar, Generic, TypeVar

from django.db.utils import InterfaceError, OperationalError
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django_q.exceptions import TimeoutException

from ingestion.jobs.ending import ProgressWriter, fail, finish
from ingestion.models import Job
from knowledgetree.conf import rag_settings
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.postgres.connections import drop_broken_connection

log = logging.getLogger("knowledgetree.jobs")

Subject = TypeVar("Subject")


class Slice(ABC, Generic[Subject]):
    """What one kind of job does and says of itself. `subject`: the row or the part that the job is about."""

    kind: ClassVar[str]
    logged: ClassVar[tuple[str, str]]
    """In the log: what failed, and the field, with the attribute that fills it, that names the subject."""
    gave_up: ClassVar[Promise]
    """Said where the worker ended %(n)d times."""
    unexpected: ClassVar[Promise] = gettext_lazy("An unexpected error; the log has it under %(id)s.")
    """It may also say the %(error)s."""

    def __init__(self, job: Job, subject: Subject) -> None:
        self.job = job
        self.subject = subject
        self.write = ProgressWriter(job)

    @abstractmethod
    def advance(self) -> None:
        """Do a slice; then finish the job, or put it back for the next one. May raise anything."""

    def fail(self, code: str, message: str) -> None:
        """For good."""
        fail(self.job, code, message)

    def settle(self, error: Exception) -> None:
        """Failed for good, unless a kind tries again. Raises `error` where who runs jobs knows what to do."""
        self.fail(*self.explain(error))

    def explain(self, error: Exception) -> tuple[str, str]:
        """(code, message); what nobody expected is logged. Raises `error` where the database went away."""
        if isinstance(error, OperationalError | InterfaceError):
            raise error
        if isinstance(error, KnowledgeTreeError):
            return error.code, str(error)
        self.note(error)
        return "unexpected", str(self.unexpected) % {"id": self.job.pk.hex, "error": error}

    def note(self, error: Exception) -> None:
        field, attribute = self.logged
        log.error("%s failed", self.kind, exc_info=error, extra={"fields": {field: attrgetter(attribute)(self)}})

    def time_out(self) -> None:
        """The queue interrupts the job, and gives the worker's place to a new one; nothing, unless a kind fails."""

    def put_down(self) -> None:
        """A person ends the program; nothing, unless a kind goes on where it was."""


def run_slice(job: Job, subject: Subject | None, kind: Callable[[Job, Subject], Slice[Subject]]) -> None:
    """Raises JobStopped, what interrupts the process, and the database's errors that a kind does not settle."""
    if subject is None:
        finish(job, Job.Status.CANCELLED)
        return
    work = kind(job, subject)
    if job.attempts > rag_settings().ingestion.max_attempts:
        work.fail("gave_up", str(work.gave_up) % {"n": job.attempts - 1})
        return
    try:
        work.advance()
    except TimeoutException:
        work.time_out()
        raise
    except KeyboardInterrupt:
        work.put_down()
        raise
    except Exception as error:
        drop_broken_connection()
        work.settle(error)
