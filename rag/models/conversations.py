"""What was asked and answered. Citations are snapshots: they outlive re-chunking and deletion of their document."""

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.utils.translation import gettext_lazy as _

from ingestion.models import ApiKey, Collection, Document
from rag.models.assistants import Assistant


class Conversation(models.Model):
    """Belongs to a user, or to the browser session of an anonymous reader."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="conversations",
        verbose_name=_("owner"),
    )
    session_key = models.CharField(max_length=40, blank=True, db_index=True)
    api_key = models.ForeignKey(
        ApiKey,
        models.CASCADE,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        verbose_name=_("API key"),
        help_text=_("The program that asked for its owner; people and other programs do not see what it asked."),
    )
    answering = models.UUIDField(
        null=True, editable=False, help_text="The question that is being answered; a newer one ends its research."
    )
    title = models.CharField(_("title"), max_length=200)
    assistant = models.ForeignKey(
        Assistant,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("assistant"),
        help_text=_("Who answered last; follow-up questions go there too."),
    )
    shared = models.DateTimeField(
        _("shared"),
        null=True,
        blank=True,
        help_text=_("Since then signed-in users who have the address read along; each sees what they may read."),
    )
    created = models.DateTimeField(_("created"), auto_now_add=True)
    modified = models.DateTimeField(_("last question"), auto_now=True)

    class Meta:
        ordering = ["-modified"]
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")

    def __str__(self) -> str:
        return self.title


class Exchange(models.Model):
    """A question and its answer."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="exchanges")
    question = models.TextField(_("question"))
    answer = models.TextField(_("answer"))
    searched = models.TextField(
        _("understood as"), blank=True, help_text=_("A follow-up question worded to stand alone.")
    )
    outcome = models.CharField(_("outcome"), max_length=16)
    quality = models.CharField(_("quality of the passages"), max_length=6, blank=True, db_index=True)
    language = models.CharField(max_length=8, default="pl")
    confidence = models.FloatField(_("confidence"), default=0.0)
    synthesizer = models.CharField(_("way of answering"), max_length=40, blank=True)
    model = models.CharField(_("model"), max_length=100, blank=True)
    prompt_hash = models.CharField(max_length=80, blank=True)
    uncited_claims = models.JSONField(_("sentences without a source"), default=list)
    verification = models.JSONField(_("check of the answer"), default=dict)
    steps = models.JSONField(_("steps"), default=list)
    notices = models.JSONField(_("notices"), default=list)
    corrections = models.JSONField(_("corrections"), default=list)
    definitions = models.JSONField(
        default=list, help_text="Words of the question that the glossary explains, as they were shown."
    )
    related = models.JSONField(
        default=list, help_text="Documents named beside the answer: `document_id`, `names`, `near`; no titles."
    )
    topics = models.JSONField(
        default=list, help_text="What may be asked next: headings of what was found, as they were shown."
    )
    metrics = models.JSONField(_("metrics"), default=dict)
    collections = models.ManyToManyField(
        Collection, related_name="+", help_text="Collections whose passages were shown or given to the model."
    )
    documents = ArrayField(
        models.BigIntegerField(),
        default=list,
        help_text="Documents whose passages were shown or given to the model; their erasure clears the answer.",
    )
    trace_id = models.CharField(_("number in the logs"), max_length=64, blank=True, db_index=True)
    created = models.DateTimeField(_("asked"), auto_now_add=True)

    class Meta:
        ordering = ["created"]
        verbose_name = _("question")
        verbose_name_plural = _("questions")
        indexes = [
            GinIndex(fields=["documents"], name="exchange_documents", fastupdate=False),
            models.Index(fields=["created"], name="exchange_created"),
        ]

    def __str__(self) -> str:
        return self.question[:80]


class ExchangeCitation(models.Model):
    exchange = models.ForeignKey(Exchange, models.CASCADE, related_name="citations")
    document = models.ForeignKey(Document, models.SET_NULL, null=True, related_name="+")
    number = models.PositiveSmallIntegerField()
    chunk_id = models.IntegerField()
    title = models.CharField(max_length=500)
    uri = models.CharField(max_length=2000)
    quote = models.TextField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    line_start = models.PositiveIntegerField()
    line_end = models.PositiveIntegerField()
    page_start = models.PositiveIntegerField(null=True)
    page_end = models.PositiveIntegerField(null=True)
    heading_path = ArrayField(models.TextField(), default=list)
    score = models.FloatField(default=0.0)
    origin = models.CharField(max_length=8, default="document")
    found = models.JSONField(
        default=dict, help_text="Why the passage was found, as it was explained; empty: not known any more."
    )

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["exchange", "number"], name="one_citation_a_number")]

    def __str__(self) -> str:
        return f"[{self.number}] {self.title}"
