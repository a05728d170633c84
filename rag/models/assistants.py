"""Assistants: saved configurations that people and programs talk to."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from ingestion.models import Collection

MOST_SUGGESTIONS = 4


class Assistant(models.Model):
    """Which collections are searched, and how. It never widens what its reader may see."""

    name = models.CharField(_("name"), max_length=200)
    slug = models.SlugField(_("identifier"), max_length=80, unique=True, help_text=_("Used in addresses and commands."))
    description = models.TextField(_("description"), blank=True)
    collections = models.ManyToManyField(
        Collection,
        verbose_name=_("collections"),
        blank=True,
        related_name="assistants",
        help_text=_("Empty: every collection that the reader may see."),
    )
    preset_name = models.CharField(
        _("preset"), max_length=40, blank=True, help_text=_("Empty: the default of the installation.")
    )
    parts = models.JSONField(
        _("parts of the preset"),
        default=dict,
        blank=True,
        help_text=_('Parts that this assistant replaces, for example {"neighbours": 1, "alike_above": 0.9}.'),
    )
    instructions = models.TextField(
        _("instructions"),
        blank=True,
        help_text=_("How to answer: tone, length, audience. They never change which sources may be read."),
    )
    suggestions = ArrayField(
        models.CharField(max_length=200),
        verbose_name=_("questions to begin with"),
        default=list,
        blank=True,
        help_text=_("At most four, one a line. Offered below the question box while nothing has been asked."),
    )
    web_search = models.BooleanField(
        _("may search the web"),
        default=False,
        help_text=_("When the knowledge base has nothing. The question then leaves the organisation."),
    )
    enabled = models.BooleanField(_("in use"), default=True)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        ordering = ["name"]
        verbose_name = _("assistant")
        verbose_name_plural = _("assistants")

    def __str__(self) -> str:
        return self.name
