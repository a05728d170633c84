"""Groups of documents of one collection that are about the same, and what is said of them, sentence by sentence.

Rights are by collection, so a group is never wider than that. What is kept here was true when it was made: whether it
still is, is asked of the chunks whenever it is read.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from ingestion.models import Chunk, Collection, Document


class Community(models.Model):
    """`label` are its most telling words; `model` that wrote the summary, "" where it is made of extracts. `version` of
    the knowledge base (`ingestion.selectors.knowledge_version`) that it rests on.
    """

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="+", verbose_name=_("collection"))
    label = models.CharField(_("subject"), max_length=320)
    model = models.CharField(_("language model"), max_length=100, blank=True)
    version = models.CharField(max_length=40, editable=False)
    created = models.DateTimeField(_("made"), auto_now_add=True)

    class Meta:
        ordering = ["pk"]  # the largest of a collection is made first
        verbose_name = _("group of documents")
        verbose_name_plural = _("groups of documents")
        default_permissions = ()

    def __str__(self) -> str:
        return self.label


class CommunityDocument(models.Model):
    """A document is in one group at most. `ordinal` 0 is the most central one; `chunk` says best what the group is
    about, and is gone once the document is indexed anew.
    """

    document = models.OneToOneField(Document, models.CASCADE, primary_key=True, related_name="+")
    community = models.ForeignKey(Community, models.CASCADE, related_name="members")
    ordinal = models.PositiveIntegerField()
    chunk = models.ForeignKey(Chunk, models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+")

    class Meta:
        ordering = ["ordinal"]
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.document_id} in {self.community_id}"


class CommunitySentence(models.Model):
    """A sentence of the summary, and the characters [start, end) of the document's text, `quote`, that it rests on."""

    community = models.ForeignKey(Community, models.CASCADE, related_name="sentences")
    ordinal = models.PositiveIntegerField()
    text = models.TextField()
    document = models.ForeignKey(Document, models.CASCADE, related_name="+")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    quote = models.TextField()

    class Meta:
        ordering = ["ordinal"]
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.community_id}/{self.ordinal}"
