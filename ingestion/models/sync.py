"""What is known of a source's addresses, and what its synchronisations came to."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from ingestion.models.documents import Document
from ingestion.models.jobs import Job
from ingestion.models.sources import Source


class SyncReport(models.Model):
    """One synchronisation; one that is `dry` was only tried and changed nothing. `counts` has numbers by outcome (see
    `ingestion.services.syncing.tally`), `lists` the first addresses of each: {outcome: [{uri, document, detail}]};
    under "unknown" those whom the place names as readers and nobody knows here.
    """

    class Status(models.TextChoices):
        RUNNING = "running", _("running")
        SUCCEEDED = "succeeded", _("succeeded")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    source = models.ForeignKey(Source, models.CASCADE, related_name="reports", verbose_name=_("source"))
    job = models.OneToOneField(
        Job, models.SET_NULL, null=True, blank=True, related_name="report", verbose_name=_("job")
    )
    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.RUNNING)
    dry = models.BooleanField(_("tried only"), default=False)
    started = models.DateTimeField(_("started"), auto_now_add=True)
    finished = models.DateTimeField(_("finished"), null=True)
    counts = models.JSONField(_("numbers"), default=dict)
    lists = models.JSONField(_("addresses"), default=dict)
    error = models.TextField(_("error and what to do"), blank=True)

    class Meta:
        ordering = ["-started", "-pk"]
        verbose_name = _("synchronisation")
        verbose_name_plural = _("synchronisations")

    def __str__(self) -> str:
        return str(self.source)


class SourceAddress(models.Model):
    """An address of a source, as it was read last: enough to ask whether it changed.

    `document` is null for one that could not be read yet, and for one whose document an editor deleted: that one stays
    deleted. `links` are where the page leads, for the times when its server says no more than that it did not change.
    `report` is the last synchronisation that read it, `outcome` what came of it there. `readers`: who alone may read
    the document, as it was understood last (`ingestion.services.syncing.mirroring`); "" where nobody says. `identity`:
    what the place knows it by, wherever it is there; "" where it does not tell.
    """

    class State(models.TextChoices):
        CURRENT = "current", _("there")
        UNREAD = "unread", _("not read yet")
        WAITING = "waiting", _("gone, waits for a decision")
        ARCHIVED = "archived", _("gone, archived")
        RETAINED = "retained", _("gone, kept")

    source = models.ForeignKey(Source, models.CASCADE, related_name="addresses", verbose_name=_("source"))
    uri = models.CharField(_("address"), max_length=2000)
    document = models.ForeignKey(
        Document, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("document")
    )
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.CURRENT)
    etag = models.TextField(blank=True)
    identity = models.TextField(blank=True, default="", db_default="")
    last_modified = models.TextField(blank=True)
    checksum = models.CharField(max_length=64, blank=True)
    links = ArrayField(models.TextField(), default=list, blank=True)
    readers = models.TextField(blank=True)
    report = models.ForeignKey(SyncReport, models.SET_NULL, null=True, blank=True, related_name="+")
    outcome = models.CharField(max_length=10, blank=True)
    since = models.DateTimeField(_("since"), auto_now_add=True)

    class Meta:
        ordering = ["uri"]
        verbose_name = _("address")
        verbose_name_plural = _("addresses")
        constraints = [models.UniqueConstraint(fields=["source", "uri"], name="one_address_a_source")]
        indexes = [models.Index(fields=["source", "state"])]

    def __str__(self) -> str:
        return self.uri

    @property
    def refused(self) -> bool:
        """Whether an editor deleted its document."""
        return self.document_id is None and self.state != self.State.UNREAD
