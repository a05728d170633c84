"""Words that readers use and documents do not, with what the documents seem to call it."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from ingestion.models import Document, SynonymGroup
from rag.models.conversations import Exchange


class WordProposal(models.Model):
    """`word` is in no document of the collection of `document`, which answered the `exchanges` that have it.

    What editors decided is remembered, so that nothing is proposed twice. `word` is a base form, `offered` what may be
    searched for it.
    """

    class Status(models.TextChoices):
        NEW = "new", _("new")
        ACCEPTED = "accepted", _("accepted")
        REJECTED = "rejected", _("rejected")

    word = models.CharField(_("word"), max_length=100)
    offered = models.CharField(_("what documents call it"), max_length=200)
    document = models.ForeignKey(Document, models.CASCADE, related_name="+", verbose_name=_("document"))
    exchanges = models.ManyToManyField(Exchange, related_name="+", verbose_name=_("questions"))
    status = models.CharField(_("status"), max_length=8, choices=Status.choices, default=Status.NEW, db_index=True)
    group = models.ForeignKey(
        SynonymGroup, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("synonym group")
    )
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    decided = models.DateTimeField(_("decided"), null=True, blank=True)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        ordering = ["word", "pk"]
        verbose_name = _("proposed word")
        verbose_name_plural = _("proposed words")
        constraints = [models.UniqueConstraint(fields=["word", "document"], name="one_proposal_a_word_and_document")]

    def __str__(self) -> str:
        return f"{self.word} → {self.offered}"
