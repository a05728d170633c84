"""Background work as people see it: what runs, how far it is, why it failed."""

import uuid
from typing import Any

from django.db import models
from django.dispatch import Signal
from django.utils.translation import gettext_lazy as _

from ingestion.models.documents import Document
from ingestion.models.embeddings import EmbeddingSpace
from ingestion.models.rechunking import Rechunking
from ingestion.models.sources import Collection, Source
from knowledgetree.logs import job_number
from knowledgetree.tracing import current_traceparent

document_indexed = Signal()
"""Sent with `document` after the job that indexed it wrote it; nobody here knows who listens. What a listener fails at
is logged and does not fail the job.
"""


class Job(models.Model):
    """One small, idempotent piece of background work. The queue carries only this row's key.

    A running job whose `heartbeat` has stopped belongs to a killed worker and is taken up again.
    """

    class Kind(models.TextChoices):
        INDEX_DOCUMENT = "index_document", _("indexing a document")
        REEMBED = "reembed", _("computing vectors anew")
        RECHUNK = "rechunk", _("splitting anew")
        SYNC_SOURCE = "sync_source", _("synchronising a source")
        MEASUREMENT = "measurement", _("measurement")
        COMMUNITIES = "communities", _("grouping documents")
        OPTIMIZATION = "optimization", _("optimisation")

    class Status(models.TextChoices):
        QUEUED = "queued", _("queued")
        RUNNING = "running", _("running")
        SUCCEEDED = "succeeded", _("succeeded")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    class Stage(models.TextChoices):
        WAITING = "waiting", _("waiting")
        TURN = "turn", _("waiting for its collection's turn")
        READING = "reading", _("reading the source")
        EXTRACTING = "extracting", _("reading the text")
        CHUNKING = "chunking", _("splitting")
        ANALYSING = "analysing", _("analysing words")
        EMBEDDING = "embedding", _("computing vectors")
        WRITING = "writing", _("writing the index")
        INDEXING = "indexing", _("building the index of vectors")
        MEASURING = "measuring", _("measuring the golden set")
        ASKING = "asking", _("asking the questions")
        SUMMARISING = "summarising", _("summarising the groups")
        FINISHED = "finished", _("finished")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(_("kind"), max_length=30, choices=Kind.choices)
    document = models.ForeignKey(
        Document, models.CASCADE, null=True, blank=True, related_name="jobs", verbose_name=_("document")
    )
    collection = models.ForeignKey(
        Collection, models.CASCADE, null=True, blank=True, related_name="jobs", verbose_name=_("collection")
    )
    space = models.ForeignKey(
        EmbeddingSpace, models.CASCADE, null=True, blank=True, related_name="jobs", verbose_name=_("embedding space")
    )
    rechunking = models.ForeignKey(
        Rechunking, models.CASCADE, null=True, blank=True, related_name="jobs", verbose_name=_("change of chunking")
    )
    source = models.ForeignKey(
        Source, models.CASCADE, null=True, blank=True, related_name="jobs", verbose_name=_("source")
    )
    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.QUEUED)
    stage = models.CharField(_("stage"), max_length=12, choices=Stage.choices, default=Stage.WAITING)
    done = models.PositiveIntegerField(_("done"), default=0)
    total = models.PositiveIntegerField(_("total"), default=0)
    rate = models.FloatField(_("pieces a second"), null=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    failures = models.PositiveSmallIntegerField(_("failures in a row"), default=0)
    due = models.DateTimeField(_("not before"), null=True, help_text=_("After a failure that may pass."))
    heartbeat = models.DateTimeField(_("last sign of life"), null=True)
    error_code = models.CharField(_("error code"), max_length=60, blank=True)
    error_message = models.TextField(_("error"), blank=True)
    created = models.DateTimeField(_("created"), auto_now_add=True)
    started = models.DateTimeField(_("started"), null=True)
    finished = models.DateTimeField(_("finished"), null=True)

    traceparent = models.CharField(_("trace"), max_length=55, blank=True, editable=False)  # of the request, by W3C

    class Meta:
        ordering = ["-created"]
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        constraints = [
            models.UniqueConstraint(
                fields=["document"],
                condition=models.Q(kind="index_document", status="queued"),
                name="one_waiting_job_a_document",
            ),
            models.UniqueConstraint(
                fields=["space"],
                condition=models.Q(kind="reembed", status__in=["queued", "running"]),
                name="one_unfinished_job_a_space",
            ),
            models.UniqueConstraint(
                fields=["rechunking"],
                condition=models.Q(kind="rechunk", status__in=["queued", "running"]),
                name="one_unfinished_job_a_rechunking",
            ),
            models.UniqueConstraint(
                fields=["source"],
                condition=models.Q(kind="sync_source", status__in=["queued", "running"]),
                name="one_unfinished_job_a_source",
            ),
            models.UniqueConstraint(
                fields=["collection"],
                condition=models.Q(kind="communities", status__in=["queued", "running"]),
                name="one_unfinished_grouping_a_collection",
            ),
        ]
        indexes = [
            models.Index(fields=["status", "heartbeat"]),
            models.Index(
                fields=["collection", "created"],
                condition=models.Q(status="queued", stage="turn"),
                name="jobs_that_wait_for_a_turn",
            ),
        ]

    def __str__(self) -> str:
        of = self.document or self.space or self.rechunking or self.source or self.collection or ""
        return f"{self.get_kind_display()}: {of}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """A job joins the trace of the request that wanted it. One that a job wants has its own: they may be many."""
        if self._state.adding and not job_number.get():
            self.traceparent = current_traceparent()
        super().save(*args, **kwargs)
