"""What a document was before."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from ingestion.models.documents import Document


class DocumentVersion(models.Model):
    """A content that the document has or had: the newest is the current one.

    `text` is the extracted text of a version that is over; the current one's stands in its `Extraction`.
    """

    document = models.ForeignKey(Document, models.CASCADE, related_name="versions", verbose_name=_("document"))
    number = models.PositiveIntegerField(_("number"))
    label = models.CharField(_("version"), max_length=40, blank=True)
    file = models.FileField(_("original"), max_length=200)
    file_name = models.CharField(_("file name"), max_length=300)
    checksum = models.CharField(_("SHA-256"), max_length=64, db_index=True)
    size = models.PositiveBigIntegerField(_("size in bytes"), default=0)
    text = models.TextField(blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("added by")
    )
    created = models.DateTimeField(_("added"))

    class Meta:
        ordering = ["-number"]
        verbose_name = _("version of a document")
        verbose_name_plural = _("versions of documents")
        constraints = [models.UniqueConstraint(fields=["document", "number"], name="one_version_a_number")]

    def __str__(self) -> str:
        return f"{self.document_id}/{self.number}"
