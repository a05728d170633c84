"""What a document was before."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from ingestion.models.documents import Document


class DocumentVersion(models.Model):
    """A content that the document has or had: the newest is the current one.

    `text`, `extractor` and `page_starts` are what was read of a version that is over; the current one's stand in its
    `Extraction`. Such a version has the `title` that the document had, and held from `valid_from` (None: from the
    beginning) to `valid_to`; without that day it never held by itself, as a text with a slip that was put right, and is
    not searched. `revision`: the change of its place that brought it, by the place's own name for it ("" where that
    keeps none), `note`: who made it and why. A version of a revision is read once it is over, as nobody read it before;
    its `extractor` is then `NOTHING_READ` where that was impossible.
    """

    NOTHING_READ: ClassVar[str] = "-"

    document = models.ForeignKey(Document, models.CASCADE, related_name="versions", verbose_name=_("document"))
    number = models.PositiveIntegerField(_("number"))
    label = models.CharField(_("version"), max_length=40, blank=True)
    file = models.FileField(_("original"), max_length=200)
    file_name = models.CharField(_("file name"), max_length=300)
    checksum = models.CharField(_("SHA-256"), max_length=64, db_index=True)
    size = models.PositiveBigIntegerField(_("size in bytes"), default=0)
    text = models.TextField(blank=True)
    extractor = models.CharField(max_length=60, blank=True, default="", editable=False)
    page_starts = ArrayField(models.PositiveIntegerField(), default=list, editable=False)
    title = models.CharField(_("title"), max_length=500, blank=True, default="")
    valid_from = models.DateField(_("valid from"), null=True, blank=True)
    valid_to = models.DateField(_("valid to"), null=True, blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("added by")
    )
    created = models.DateTimeField(_("added"))
    revision = models.CharField(max_length=200, blank=True, default="", db_default="", editable=False)
    note = models.TextField(_("who and why"), blank=True, default="", db_default="", editable=False)

    class Meta:
        ordering = ["-number"]
        verbose_name = _("version of a document")
        verbose_name_plural = _("versions of documents")
        constraints = [
            models.UniqueConstraint(fields=["document", "number"], name="one_version_a_number"),
            models.UniqueConstraint(
                fields=["document", "revision"], condition=~models.Q(revision=""), name="one_version_a_revision"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.document_id}/{self.number}"
