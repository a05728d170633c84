"""Documents, their extracted text and the chunks that are searched."""

from datetime import date

from django.conf import settings
from django.contrib.auth.models import Group
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ingestion.models.sources import Collection, Source
from knowledgetree.postgres.dictionary_order import in_dictionary_order


class Readership(models.Model):
    """Groups and accounts who alone may read certain documents of a collection that they may read; none: nobody may.

    A row is never changed: other readers are another row. So its number stands for the same right wherever it is kept,
    and a search asks of each document for a number alone. A group or an account that is deleted leaves it.
    """

    groups = models.ManyToManyField(Group, related_name="+", verbose_name=_("groups"))
    users = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="+", verbose_name=_("accounts"))
    digest = models.CharField(max_length=64, unique=True, editable=False, help_text="Of the keys it was made for.")

    class Meta:
        verbose_name = _("readers of documents")
        verbose_name_plural = _("readers of documents")

    def __str__(self) -> str:
        return ", ".join(map(str, (*self.groups.all(), *self.users.all())))


def in_force_on(day: date) -> Q:
    """What is true of documents in force on `day`; an open end counts as in force."""
    begun = Q(valid_from__isnull=True) | Q(valid_from__lte=day)
    return begun & (Q(valid_to__isnull=True) | Q(valid_to__gte=day))


class DocumentQuerySet(models.QuerySet["Document"]):
    def readable(self) -> "DocumentQuerySet":
        """Documents that readers can open; the rest is the editors' business."""
        return self.filter(status=Document.Status.READY)

    def valid_on(self, day: date) -> "DocumentQuerySet":
        """Documents in force on `day`."""
        return self.filter(in_force_on(day))


_READ = Q(earlier__isnull=True, trial_of__isnull=True, status="ready")
"""What readers open, as `CurrentDocuments` and `readable` say it: so far indexes of the library's orders reach."""

_DocumentManager = models.Manager.from_queryset(DocumentQuerySet)


class CurrentDocuments(_DocumentManager["Document"]):
    """Documents as they are now. What they said earlier, and copies on trial, are in nothing that starts here."""

    def get_queryset(self) -> DocumentQuerySet:
        return DocumentQuerySet(self.model, using=self._db).filter(earlier__isnull=True, trial_of__isnull=True)


class EarlierDocuments(_DocumentManager["Document"]):
    """What documents said earlier, alone."""

    def get_queryset(self) -> DocumentQuerySet:
        return DocumentQuerySet(self.model, using=self._db).filter(earlier__isnull=False)


class Document(models.Model):
    """One file or page. Its chunks are replaced in one transaction; readers never see half a document.

    One with `earlier` is what a document said in that version: it stands in the archive of the document's collection,
    has its readers (a trigger sees to that) and is found by date alone.

    One with `trial_of` is a copy of that document, split in another way, in a collection on trial that nobody reads.
    """

    class Status(models.TextChoices):
        QUEUED = "queued", _("queued")
        PROCESSING = "processing", _("processing")
        READY = "ready", _("ready")
        FAILED = "failed", _("failed")
        ARCHIVED = "archived", _("archived")

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="documents", verbose_name=_("collection"))
    source = models.ForeignKey(
        Source, models.SET_NULL, null=True, blank=True, related_name="documents", verbose_name=_("source")
    )
    readership = models.ForeignKey(
        Readership, models.PROTECT, null=True, blank=True, editable=False, db_index=False, related_name="documents",
        verbose_name=_("readers of its own"),
        help_text=_("Who alone of those that may read the collection may read this document; none: all of them."),
    )  # fmt: skip
    title = models.CharField(_("title"), max_length=500)
    uri = models.CharField(
        _("URI"), max_length=2000, help_text=_("Where the document comes from; unique in a collection.")
    )
    file = models.FileField(_("original"), max_length=200, blank=True, editable=False)
    file_name = models.CharField(_("file name"), max_length=300, blank=True)
    media_type = models.CharField(_("type"), max_length=120, blank=True)
    checksum = models.CharField(_("SHA-256"), max_length=64, blank=True, editable=False)
    size = models.PositiveBigIntegerField(_("size in bytes"), default=0, editable=False)
    language = models.CharField(_("language"), max_length=8, default="pl")
    category = models.CharField(_("category"), max_length=100, blank=True)
    tags = ArrayField(models.CharField(max_length=60), verbose_name=_("tags"), default=list, blank=True)
    version = models.CharField(_("version"), max_length=40, blank=True)
    valid_from = models.DateField(_("valid from"), null=True, blank=True)
    valid_to = models.DateField(_("valid to"), null=True, blank=True)
    metadata = models.JSONField(_("metadata"), default=dict, blank=True)
    given = models.JSONField(
        default=dict, blank=True, editable=False,
        help_text="What its file and whoever brought it say of it.",
    )  # fmt: skip
    edited = ArrayField(
        models.TextField(), default=list, blank=True, editable=False, verbose_name=_("set by an editor"),
        help_text=_("Fields that an editor set; nothing that brings the document again changes them."),
    )  # fmt: skip
    status = models.CharField(_("status"), max_length=12, choices=Status.choices, default=Status.QUEUED, editable=False)
    error_code = models.CharField(_("error code"), max_length=60, blank=True, editable=False)
    error_message = models.TextField(_("what to do"), blank=True, editable=False)
    warnings = models.JSONField(_("warnings"), default=list, blank=True, editable=False)
    chunk_count = models.PositiveIntegerField(_("chunks"), default=0, editable=False)
    chunking = models.JSONField(
        default=dict, blank=True, editable=False,
        help_text="How its chunks were made; see `ingestion.chunking.splitting.mark`. Empty: before that was noted.",
    )  # fmt: skip
    names_version = models.PositiveSmallIntegerField(
        default=0, editable=False, help_text="Which `ingestion.index.graph.NAMES_VERSION` recognised what it names."
    )
    created = models.DateTimeField(_("added"), auto_now_add=True)
    modified = models.DateTimeField(_("changed"), auto_now=True)
    indexed = models.DateTimeField(_("indexed"), null=True, blank=True, editable=False)

    earlier = models.OneToOneField(
        "ingestion.DocumentVersion", models.CASCADE, null=True, blank=True, editable=False, related_name="indexed"
    )
    trial_of = models.ForeignKey(
        "self", models.CASCADE, null=True, blank=True, editable=False, db_index=False, related_name="+"
    )

    objects = CurrentDocuments()
    earlier_ones = EarlierDocuments()
    of_all_times = DocumentQuerySet.as_manager()

    class Meta:
        ordering = ["-modified", "-pk"]
        verbose_name = _("document")
        verbose_name_plural = _("documents")
        constraints = [
            models.UniqueConstraint(
                fields=["collection", "uri"], condition=Q(earlier__isnull=True), name="one_document_a_uri"
            ),
            models.CheckConstraint(
                condition=Q(valid_to__isnull=True)
                | Q(valid_from__isnull=True)
                | Q(valid_to__gte=models.F("valid_from")),
                name="validity_in_order",
                violation_error_message=_("“Valid to” must not be before “valid from”."),
            ),
        ]
        indexes = [
            models.Index(fields=["checksum"]),
            models.Index(fields=["collection", "valid_to"], condition=Q(earlier__isnull=False), name="earlier_until"),
            models.Index(
                fields=["readership", "collection"],
                condition=Q(readership__isnull=False),
                name="document_readership",
            ),
            models.Index(fields=["trial_of"], condition=Q(trial_of__isnull=False), name="document_on_trial"),
            models.Index("collection", in_dictionary_order("title"), "id", condition=_READ, name="document_by_title"),
            models.Index(fields=["collection", "-modified", "-id"], condition=_READ, name="document_newest"),
            GinIndex(fields=["tags"], name="document_tags"),
            GinIndex(fields=["metadata"], opclasses=["jsonb_path_ops"], name="document_metadata"),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def restricted(self) -> bool:
        """Whether it has readers of its own."""
        return self.readership_id is not None

    @property
    def in_force(self) -> bool:
        today = timezone.localdate()
        return (self.valid_from is None or self.valid_from <= today) and (
            self.valid_to is None or self.valid_to >= today
        )


class Extraction(models.Model):
    """The text of a document as one extractor saw it; chunks and citations point into it by character."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="extractions")
    extractor = models.CharField(max_length=60)
    text = models.TextField()
    page_starts = ArrayField(
        models.PositiveIntegerField(), default=list, help_text="Character at which each page begins; empty: no pages."
    )
    checksum = models.CharField(max_length=64, blank=True, default="", help_text="Of the original it was read from.")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("extracted text")
        verbose_name_plural = _("extracted texts")
        constraints = [models.UniqueConstraint(fields=["document", "extractor"], name="one_text_an_extractor")]

    def __str__(self) -> str:
        return f"{self.document} ({self.extractor})"


class Chunk(models.Model):
    """A piece of an extracted text: `extraction.text[start:end] == text` unless an editor changed it.

    `collection` repeats the document's, so that access rights are checked without a join on the hot path.
    """

    class Kind(models.TextChoices):
        TEXT = "text", _("text")
        TABLE = "table", _("table")
        CODE = "code", _("code")
        LIST = "list", _("list")

    id = models.AutoField(primary_key=True)  # four bytes: it stands in every posting
    document = models.ForeignKey(Document, models.CASCADE, related_name="chunks", verbose_name=_("document"))
    extraction = models.ForeignKey(Extraction, models.CASCADE, related_name="chunks")
    collection = models.ForeignKey(Collection, models.CASCADE, related_name="+", verbose_name=_("collection"))
    ordinal = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices, default=Kind.TEXT)
    text = models.TextField(_("text"))
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    line_start = models.PositiveIntegerField()
    line_end = models.PositiveIntegerField()
    page_start = models.PositiveIntegerField(null=True)
    page_end = models.PositiveIntegerField(null=True)
    heading_path = ArrayField(models.TextField(), verbose_name=_("headings"), default=list, blank=True)
    context_before = models.TextField(blank=True)
    context_after = models.TextField(blank=True)
    original_text = models.TextField(
        default="", editable=False, help_text="What the document says, where an editor changed `text`; else empty."
    )
    enabled = models.BooleanField(_("searched"), default=True)
    retrieval_quality = models.CharField(max_length=8, blank=True, editable=False)
    last_quality_check = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["document", "ordinal"]
        verbose_name = _("chunk")
        verbose_name_plural = _("chunks")
        constraints = [models.UniqueConstraint(fields=["extraction", "ordinal"], name="one_chunk_an_ordinal")]

    def __str__(self) -> str:
        return f"{self.document_id}/{self.ordinal}"

    @property
    def edited(self) -> bool:
        return bool(self.original_text)
