"""What texts say of when documents are in force, for an editor to accept or to reject."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from ingestion.models.documents import Document


class ValidityProposal(models.Model):
    """Characters [start, end) of the text of `stated_by` say that `document` is in force from, or to, `day`; None: to
    the day before `stated_by` comes into force.

    No text is kept: `digest` knows the words, so that what was decided lasts until they change.
    """

    class Field(models.TextChoices):
        VALID_FROM = "valid_from", _("valid from")
        VALID_TO = "valid_to", _("valid to")

    class Decision(models.TextChoices):
        OPEN = "open", _("not decided")
        ACCEPTED = "accepted", _("accepted")
        REJECTED = "rejected", _("rejected")

    document = models.ForeignKey(
        Document, models.CASCADE, related_name="validity_proposals", verbose_name=_("document")
    )
    stated_by = models.ForeignKey(Document, models.CASCADE, related_name="+", verbose_name=_("said by"))
    field = models.CharField(_("what it is about"), max_length=10, choices=Field.choices)
    day = models.DateField(_("day"), null=True)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    digest = models.CharField(max_length=32)
    decision = models.CharField(_("decision"), max_length=8, choices=Decision.choices, default=Decision.OPEN)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("decided by")
    )
    decided = models.DateTimeField(_("decided"), null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("proposed validity")
        verbose_name_plural = _("proposed validities")
        default_permissions = ()  # whoever keeps the documents decides
        constraints = [
            models.UniqueConstraint(fields=["document", "stated_by", "field"], name="one_proposal_a_field"),
        ]

    def __str__(self) -> str:
        return f"{self.document_id}: {self.field} {self.day or '–'}"
