"""That documents were erased: who and when, never what they said."""

from django.conf import settings
from django.db import models
from django.dispatch import Signal
from django.utils.translation import gettext_lazy as _

from ingestion.models.sources import Collection

document_erased = Signal()
"""Sent with `document` (still there) and `counts` (a dict to add numbers to), inside the transaction that erases it.

Who keeps a document's words elsewhere listens; nobody here knows who that is.
"""


class Erasure(models.Model):
    """The record of an erasure. `counts` are numbers by what was erased: chunks, versions, answers."""

    document_number = models.BigIntegerField(_("number of the document"))
    collection = models.ForeignKey(
        Collection, models.SET_NULL, null=True, related_name="+", verbose_name=_("collection")
    )
    erased_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("erased by")
    )
    counts = models.JSONField(_("erased"), default=dict)
    created = models.DateTimeField(_("when"), auto_now_add=True)

    class Meta:
        ordering = ["-created", "-pk"]
        verbose_name = _("erasure")
        verbose_name_plural = _("erasures")

    def __str__(self) -> str:
        return f"{self.document_number}"
