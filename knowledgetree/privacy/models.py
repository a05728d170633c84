"""What the register says of a collection beyond what the program sees by itself."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

LONGEST_TERM = 36_500  # days


class ProcessingRecord(models.Model):
    """Why personal data of a collection are processed, and for how long. One for a collection, entered by an editor."""

    class Basis(models.TextChoices):
        CONSENT = "consent", _("consent (Art. 6(1)(a) GDPR)")
        CONTRACT = "contract", _("contract (Art. 6(1)(b) GDPR)")
        OBLIGATION = "obligation", _("legal obligation (Art. 6(1)(c) GDPR)")
        VITAL = "vital", _("vital interests (Art. 6(1)(d) GDPR)")
        PUBLIC_TASK = "public_task", _("public task (Art. 6(1)(e) GDPR)")
        INTEREST = "interest", _("legitimate interest (Art. 6(1)(f) GDPR)")

    class CountedFrom(models.TextChoices):
        ADDED = "created", _("the day it was added")
        CHANGED = "modified", _("the day of its last change")
        EXPIRED = "valid_to", _("the last day on which it is valid")

    class Ending(models.TextChoices):
        ARCHIVE = "archive", _("archive it")
        ERASE = "erase", _("erase it with every trace")

    collection = models.OneToOneField(
        "ingestion.Collection", models.CASCADE, related_name="processing_record", verbose_name=_("collection")
    )
    purpose = models.TextField(_("purpose"), help_text=_("What these data are needed for."))
    basis = models.CharField(_("legal basis"), max_length=12, choices=Basis.choices)
    provision = models.CharField(
        _("provision"), max_length=300, blank=True, help_text=_("The act that it follows from, where one does.")
    )
    persons = models.CharField(_("whose data"), max_length=300, blank=True)
    recipients = models.CharField(_("recipients"), max_length=300, blank=True, help_text=_("Beside readers here."))
    term_days = models.PositiveIntegerField(
        _("kept for (days)"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(LONGEST_TERM)],
        help_text=_("Empty: as long as the document stays. After this term the night ends it as chosen below."),
    )
    counted_from = models.CharField(
        _("counted from"), max_length=8, choices=CountedFrom.choices, default=CountedFrom.ADDED
    )
    ending = models.CharField(_("after that"), max_length=7, choices=Ending.choices, default=Ending.ARCHIVE)
    noted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, editable=False, related_name="+",
        verbose_name=_("entered by"),
    )  # fmt: skip
    noted = models.DateTimeField(_("entered"), auto_now=True)

    class Meta:
        verbose_name = _("entry of the register of personal data")
        verbose_name_plural = _("register of personal data")

    def __str__(self) -> str:
        return str(self.collection)
