"""Keys of programs: each acts for one account, or for users by signed tokens, and never does more than those may."""

from datetime import datetime

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import RegexValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ingestion.models.sources import Collection

PREFIX = "kt_"
ANY_KEY = ""
"""The scope of what every program may do that has a valid key."""
SHOWN_CHARACTERS = 10
"""How much of a key stays to be seen, its beginning: enough to tell keys apart, of no use to a thief."""


class ApiKey(models.Model):
    """A program's way in. Only the SHA-256 of the secret is stored: 32 random bytes need no slow hash."""

    class Scope(models.TextChoices):
        SEARCH = "search", _("search")
        ASK = "ask", _("ask")
        DOCUMENTS_READ = "documents:read", _("read documents")
        DOCUMENTS_WRITE = "documents:write", _("write documents")
        EVALUATE = "evaluate", _("evaluate")
        ADMIN = "admin", _("administer")
        ACT_AS = "act_as", _("act for users who are named by signed tokens")

    name = models.CharField(_("name"), max_length=100, help_text=_("Which program uses it."))
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="api_keys",
        verbose_name=_("acts for"),
        help_text=_("The program may do at most what this account may."),
    )
    prefix = models.CharField(_("beginning"), max_length=SHOWN_CHARACTERS, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    scopes = ArrayField(models.CharField(max_length=20, choices=Scope.choices), verbose_name=_("may"))
    collections = models.ManyToManyField(
        Collection,
        verbose_name=_("collections"),
        blank=True,
        related_name="+",
        help_text=_("Empty: every collection that the account may read."),
    )
    bound = models.BooleanField(
        default=False,
        editable=False,
        help_text="Made for chosen collections: it opens none when the last of them is deleted.",
    )
    rate = models.CharField(
        _("rate"),
        max_length=20,
        blank=True,
        validators=[RegexValidator(r"\A[1-9]\d{0,5}/(s|min|hour|day)\Z", _("Write it as 60/min or 1000/day."))],
        help_text=_("The most requests, such as 60/min. Empty: no limit beside those for everybody."),
    )
    expires = models.DateTimeField(_("valid until"), null=True, blank=True, help_text=_("Empty: until it is revoked."))
    revoked = models.DateTimeField(_("revoked"), null=True, editable=False)
    last_used = models.DateTimeField(_("last used"), null=True, editable=False)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        ordering = ["-created", "-pk"]
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    def is_valid(self, now: datetime | None = None) -> bool:
        now = now or timezone.now()
        return self.revoked is None and (self.expires is None or now < self.expires)

    @property
    def scopes_in_words(self) -> str:
        return ", ".join(str(self.Scope(scope).label) for scope in self.scopes)
