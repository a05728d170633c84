"""Collections, with their access rules, and the sources that fill them."""

from django.conf import settings
from django.contrib.auth.models import Group
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _


class ServedCollections(models.Manager["Collection"]):
    """The collections that people know of. What is not asked for by name, archives and copies on trial, is in nothing
    that starts here.
    """

    def get_queryset(self) -> models.QuerySet["Collection"]:
        return super().get_queryset().filter(archive_of=None, trial_of=None)


class Collection(models.Model):
    """A set of documents with its own access rules.

    One with `archive_of` is the archive of another: what documents of that one said earlier, which is searched by date
    alone. It has no readers of its own, nobody sees or changes it, and `objects` does not know it.

    One with `trial_of` is a copy of another whose documents are split in another way on trial, for the search of the
    number `tried_by`. It has no readers either, and goes when the search is over.
    """

    class Visibility(models.TextChoices):
        PUBLIC = "public", _("public: everyone")
        INTERNAL = "internal", _("internal: every signed-in user")
        RESTRICTED = "restricted", _("restricted: members of chosen groups")

    id = models.AutoField(primary_key=True)  # four bytes: it stands in every posting
    name = models.CharField(_("name"), max_length=200)
    slug = models.SlugField(_("identifier"), max_length=80, unique=True, help_text=_("Used in addresses and commands."))
    description = models.TextField(_("description"), blank=True)
    visibility = models.CharField(
        _("who may read"), max_length=12, choices=Visibility.choices, default=Visibility.RESTRICTED
    )
    groups = models.ManyToManyField(
        Group,
        verbose_name=_("groups"),
        blank=True,
        related_name="collections",
        help_text=_("Groups whose members may read a restricted collection."),
    )
    mask_personal_data = models.BooleanField(
        _("mask personal data"),
        default=False,
        help_text=_(
            "PESEL, NIP, accounts, e-mail and phones are covered for readers without the permission to see them."
        ),
    )
    only_when_chosen = models.BooleanField(
        _("search only where chosen"),
        default=False,
        db_default=False,
        help_text=_(
            "Questions for which nobody chose a collection or an assistant leave it out. For manuals, archives and the "
            "like, which should not mix into other answers."
        ),
    )
    preset = models.CharField(_("preset"), max_length=40, blank=True)
    lemma_weight = models.FloatField(_("weight of lemmas"), default=1.0)
    form_weight = models.FloatField(_("weight of word forms"), default=0.3)
    chunking = models.JSONField(
        _("chunking"), default=dict, blank=True, editable=False,
        help_text=_("Set by a change of chunking; empty: as the settings say."),
    )  # fmt: skip
    created = models.DateTimeField(_("created"), auto_now_add=True)
    archive_of = models.OneToOneField(
        "self", models.CASCADE, null=True, blank=True, editable=False, related_name="archive"
    )
    trial_of = models.ForeignKey("self", models.CASCADE, null=True, blank=True, editable=False, related_name="+")
    tried_by = models.PositiveIntegerField(null=True, blank=True, editable=False)

    masks_for_some: bool | None = None
    """Whether personal data are covered for anybody, where `mask_personal_data` speaks of one viewer (`as_seen_by`)."""

    objects = ServedCollections()
    with_archives = models.Manager["Collection"]()

    class Meta:
        ordering = ["name"]
        verbose_name = _("collection")
        verbose_name_plural = _("collections")
        permissions = [("see_personal_data", _("Can see personal data that a collection masks"))]

    def __str__(self) -> str:
        return self.name

    @property
    def words_of(self) -> int:
        """The key of the collection whose synonyms and glossary hold here: of a copy on trial, its original."""
        return self.trial_of_id or self.pk


class Source(models.Model):
    """Where documents come from: uploads, a folder, web pages, a feed, or a place that a connector reads
    (`ingestion.sources.connectors`). What it gives its documents, they keep until an editor says otherwise
    (`Document.edited`).

    Of a connector `options` are its settings by name, with the name of a secret of the environment as `key`, and
    `encrypted_secret` is the one entered here, which is never shown. `cursor` is where the next listing begins, with
    the limit of sizes that it counts for (`ingestion.services.syncing.connecting`).
    """

    class Kind(models.TextChoices):
        UPLOAD = "upload", _("upload")
        FOLDER = "folder", _("server folder")
        PAGE = "web", _("web page")
        SITE = "site", _("web site, page by page")
        SITEMAP = "sitemap", _("pages of a sitemap")
        FEED = "feed", _("feed: RSS, Atom, JSON")
        WEBDAV = "webdav", _("WebDAV or Nextcloud")
        CONFLUENCE = "confluence", _("Confluence")
        ELI = "eli", _("acts of the Sejm (ELI)")
        IMAP = "imap", _("mailbox (IMAP)")
        MICROSOFT365 = "microsoft365", _("Microsoft 365 (SharePoint, OneDrive)")
        S3 = "s3", _("S3 and other object stores")
        SFTP = "sftp", _("SFTP")
        SMB = "smb", _("network drive (SMB)")
        GIT = "git", _("Git repository")

    class Gone(models.TextChoices):
        ARCHIVE = "archive", _("archive it at once")
        ERASE = "erase", _("erase it with every trace")
        CONFIRM = "confirm", _("archive it after confirmation")
        KEEP = "keep", _("keep it")

    REMOVING = frozenset({Gone.ARCHIVE.value, Gone.ERASE.value})

    class Rhythm(models.TextChoices):
        HOURLY = "hourly", _("every hour")
        DAILY = "daily", _("every night")
        WEEKLY = "weekly", _("every Saturday night")
        CRON = "cron", _("as a cron expression says")

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="sources", verbose_name=_("collection"))
    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices, default=Kind.UPLOAD)
    name = models.CharField(_("name"), max_length=200)
    location = models.CharField(_("location"), max_length=2000, blank=True, help_text=_("Folder path or web address."))
    include = ArrayField(
        models.CharField(max_length=300), verbose_name=_("take only"), default=list, blank=True,
        help_text=_("Patterns of paths, one a line, such as /law/* or *.pdf; * stands for anything. Empty: all."),
    )  # fmt: skip
    exclude = ArrayField(
        models.CharField(max_length=300), verbose_name=_("leave out"), default=list, blank=True,
        help_text=_("Patterns of paths, one a line. A document that they leave out later counts as gone."),
    )  # fmt: skip
    max_pages = models.PositiveIntegerField(
        _("pages at most"), default=500, validators=[MinValueValidator(1), MaxValueValidator(100_000)]
    )
    max_depth = models.PositiveSmallIntegerField(
        _("depth"), default=5, validators=[MaxValueValidator(50)], help_text=_("Links away from the first page.")
    )
    delay = models.FloatField(
        _("pause between requests"), default=1.0, validators=[MinValueValidator(0), MaxValueValidator(60)],
        help_text=_("Seconds; robots.txt may ask for more."),
    )  # fmt: skip
    obey_robots = models.BooleanField(
        _("obey robots.txt"), default=True, help_text=_("Switch it off only for a site of your own.")
    )
    options = models.JSONField(_("options"), default=dict, blank=True, editable=False)
    category = models.CharField(_("category"), max_length=100, blank=True)
    tags = ArrayField(
        models.CharField(max_length=60), verbose_name=_("tags"), default=list, blank=True,
        help_text=_("Separated by commas."),
    )  # fmt: skip
    language = models.CharField(_("language"), max_length=8, default="pl")
    gone_policy = models.CharField(
        _("a document that is gone from there"), max_length=8, choices=Gone.choices, default=Gone.CONFIRM,
        help_text=_(
            "An archived document is out of search; it can be restored, and comes back when its page does. An erased "
            "one is gone for good, from conversations too. Where a tenth is gone at once, you are asked first."
        ),
    )  # fmt: skip
    rhythm = models.CharField(_("synchronise"), max_length=8, choices=Rhythm.choices, blank=True)
    schedule = models.CharField(
        _("cron expression"), max_length=100, blank=True,
        help_text=_("Minute, hour, day of month, month, day of week; 30 6 * * 1-5: on working days at 6:30."),
    )  # fmt: skip
    paused = models.BooleanField(_("paused"), default=False, editable=False)
    mirror_rights = models.BooleanField(
        _("its documents have the rights that the place gives them"), default=True,
        help_text=_("Whom it names and nobody knows here reads nothing. Otherwise the collection's rights are theirs."),
    )  # fmt: skip
    networks = ArrayField(
        models.CharField(max_length=43), verbose_name=_("private networks"), default=list, blank=True,
        help_text=_("Where this source may be besides the public Internet, one a line, such as 10.1.2.0/24."),
    )  # fmt: skip
    encrypted_secret = models.TextField(blank=True, editable=False)
    secret_changed = models.DateTimeField(null=True, blank=True, editable=False)
    cursor = models.TextField(blank=True, editable=False)
    last_synced = models.DateTimeField(_("last synchronised"), null=True, blank=True, editable=False)
    last_result = models.JSONField(_("last result"), default=dict, blank=True, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, editable=False, verbose_name=_("added by")
    )

    class Meta:
        ordering = ["name"]
        verbose_name = _("source")
        verbose_name_plural = _("sources")
        constraints = [
            models.UniqueConstraint(
                fields=["collection", "kind", "location"],
                name="one_source_a_location",
                violation_error_message=_("This collection has a source of this kind and location already."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_read(self) -> bool:
        """Whether there is something to synchronise with; uploads come by themselves."""
        return self.kind != self.Kind.UPLOAD
