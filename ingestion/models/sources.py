"""Collections, with their access rules, and the sources that fill them."""

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, Group
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

Viewer = AbstractBaseUser | AnonymousUser


class CollectionQuerySet(models.QuerySet["Collection"]):
    def visible_to(self, viewer: Viewer) -> "CollectionQuerySet":
        """The collections `viewer` may read. Every reading path starts here.

        Anonymous people see public ones, signed-in users internal ones too, members of a chosen group restricted
        ones; an active superuser sees all.
        """
        if not viewer.is_authenticated or not viewer.is_active:
            return self.filter(visibility=Collection.Visibility.PUBLIC)
        if getattr(viewer, "is_superuser", False):
            return self
        memberships = Group.objects.filter(user=viewer.pk)
        return self.filter(
            Q(visibility__in=[Collection.Visibility.PUBLIC, Collection.Visibility.INTERNAL])
            | Q(
                visibility=Collection.Visibility.RESTRICTED,
                pk__in=Collection.groups.through.objects.filter(group__in=memberships).values("collection_id"),
            )
        )


class Collection(models.Model):
    """A set of documents with its own access rules."""

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
    preset = models.CharField(_("preset"), max_length=40, blank=True)
    lemma_weight = models.FloatField(_("weight of lemmas"), default=1.0)
    form_weight = models.FloatField(_("weight of word forms"), default=0.3)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    objects = CollectionQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        verbose_name = _("collection")
        verbose_name_plural = _("collections")

    def __str__(self) -> str:
        return self.name


class Source(models.Model):
    """Where documents come from: uploads, a folder, web pages, a feed."""

    class Kind(models.TextChoices):
        UPLOAD = "upload", _("upload")
        FOLDER = "folder", _("server folder")
        WEB = "web", _("web page or site")
        FEED = "feed", _("JSON feed")

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="sources", verbose_name=_("collection"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices, default=Kind.UPLOAD)
    name = models.CharField(_("name"), max_length=200)
    location = models.CharField(_("location"), max_length=2000, blank=True, help_text=_("Folder path or web address."))
    options = models.JSONField(_("options"), default=dict, blank=True)
    schedule = models.CharField(
        _("schedule"), max_length=100, blank=True, help_text=_("Cron expression; empty: by hand.")
    )
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
            models.UniqueConstraint(fields=["collection", "kind", "location"], name="one_source_a_location"),
        ]

    def __str__(self) -> str:
        return self.name
