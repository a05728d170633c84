"""What an office declares of its site."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class AccessibilityStatement(models.Model):
    """One, or none yet. What the program itself is like is not stored: the tests know (`tested.py`).

    Its parts are those of the Polish act of 4 April 2019 on digital accessibility (art. 10).
    """

    organisation = models.CharField(_("organisation"), max_length=200)
    published = models.DateField(_("site published on"))
    updated = models.DateField(_("last important change of the site"))
    unmet = models.TextField(
        _("what is not accessible"),
        blank=True,
        help_text=_("One thing a line, with its reason. Empty: the site meets the act as far as you know."),
    )
    prepared = models.DateField(_("declaration prepared on"))
    reviewed = models.DateField(_("declaration last reviewed on"))
    contact = models.CharField(_("whom to write to"), max_length=200, help_text=_("A person or a unit."))
    email = models.EmailField(_("e-mail"))
    phone = models.CharField(_("telephone"), max_length=40)
    building = models.TextField(
        _("accessibility of the building"),
        help_text=_("Entrance, lifts, toilets, a loop for the deaf, guide dogs, an interpreter of sign language."),
    )

    class Meta:
        verbose_name = _("declaration of accessibility")
        verbose_name_plural = _("declaration of accessibility")
        default_permissions = ()

    def __str__(self) -> str:
        return self.organisation

    @property
    def unmet_lines(self) -> list[str]:
        return [line.strip() for line in self.unmet.splitlines() if line.strip()]


def statement() -> AccessibilityStatement | None:
    """The one that there is."""
    return AccessibilityStatement.objects.order_by("pk").first()
