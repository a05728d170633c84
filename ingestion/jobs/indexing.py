"""The job that indexes a document."""

from django.db import transaction
from django.db.utils import InterfaceError, OperationalError
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingestion.jobs.ending import fail, finish, retry_later
from ingestion.jobs.queue import want_job
from ingestion.jobs.slices import Slice, run_slice
from ingestion.models import Document, Job
from ingestion.models.jobs import document_indexed
from ingestion.pipeline import ingest
from ingestion.renewal.earlier_versions import index_earlier_versions
from ingestion.renewal.rechunking.batch import catch_up
from ingestion.renewal.unread_versions import read_unread_versions
from ingestion.text.personal_data.masking import masked
from knowledgetree.conf import rag_settings
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.events.announcing import announce
from knowledgetree.events.registry import AnnouncedEvent

_LONGEST_WAIT = 3600.0  # seconds between attempts
_Status = Document.Status


def index_document(job: Job) -> None:
    run_slice(job, job.document, _IndexingSlice)


class _IndexingSlice(Slice[Document]):
    kind = "indexing"
    logged = ("document", "subject.pk")
    gave_up = format_lazy(
        "{} {}",
        gettext_lazy("The worker ended %(n)d times while reading this document."),
        gettext_lazy("The file may need more memory than the worker has; split it."),
    )

    def advance(self) -> None:
        Document.objects.filter(pk=self.subject.pk, chunk_count=0).update(status=_Status.PROCESSING)
        indexed = ingest(self.subject, rag_settings().ingestion, self.write)
        catch_up(self.subject)
        is_more_to_read = read_unread_versions(self.subject, rag_settings().ingestion)
        index_earlier_versions(self.subject)
        if indexed:
            document_indexed.send_robust(Document, document=self.subject)
        with transaction.atomic():
            finish(self.job, Job.Status.SUCCEEDED)
            if is_more_to_read:
                document = self.subject
                want_job(Job.Kind.INDEX_DOCUMENT, queue=True, document=document, collection=document.collection)
            if indexed:
                self._announce(AnnouncedEvent.DOCUMENT_READY)

    def settle(self, error: Exception) -> None:
        """Later again if that can help, otherwise failed for good."""
        code, message = self.explain(error)
        settings = rag_settings().ingestion
        if _may_pass(error) and self.job.failures < settings.max_retries:
            self._say_why(code, message, without_chunks=_Status.QUEUED)
            retry_later(self.job, code, message, first=settings.retry_seconds, longest=_LONGEST_WAIT)
        else:
            self.fail(code, message)

    def explain(self, error: Exception) -> tuple[str, str]:
        if isinstance(error, KnowledgeTreeError) or not _may_pass(error):
            return super().explain(error)
        self.note(error)
        if isinstance(error, OSError):
            return "storage", _("The original cannot be read (%(error)s).") % {"error": error.strerror or error}
        return "database", _("The database failed (%(error)s).") % {"error": str(error).partition("\n")[0]}

    @transaction.atomic
    def fail(self, code: str, message: str) -> None:
        self._say_why(code, message, without_chunks=_Status.FAILED)
        fail(self.job, code, message)
        self._announce(AnnouncedEvent.DOCUMENT_FAILED, code=code)

    def time_out(self) -> None:
        minutes = rag_settings().ingestion.index_seconds // 60
        self.fail("too_slow", _("Indexing took longer than %(n)d minutes; split the file.") % {"n": minutes})

    def _announce(self, event: AnnouncedEvent, **told: str) -> None:
        """As it is now. The title as those see it who see least: nobody's where the document has readers of its own."""
        document = Document.objects.select_related("collection").filter(pk=self.subject.pk).first()
        if document is None:
            return
        collection = document.collection
        title = masked(document.title) if collection.mask_personal_data else document.title
        title = "" if document.readership_id else title
        told |= {"title": title, "collection": collection.slug, "status": document.status}
        announce(event, about=[document.pk], document=document.pk, **told)

    def _say_why(self, code: str, message: str, *, without_chunks: Document.Status) -> None:
        """A document that has chunks keeps serving them: its last good version is better than none."""
        Document.objects.filter(pk=self.subject.pk).update(error_code=code, error_message=message)
        Document.objects.filter(pk=self.subject.pk, chunk_count=0).update(status=without_chunks)


def _may_pass(error: Exception) -> bool:
    """Services and databases come back, and disks are given room; what a file says stays."""
    if isinstance(error, KnowledgeTreeError):
        return error.retryable
    return isinstance(error, OperationalError | InterfaceError | OSError) and not isinstance(error, FileNotFoundError)
