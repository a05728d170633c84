"""What directories give to accounts."""

from django.conf import settings
from django.contrib.auth.models import Group
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _


class DirectoryGroup(models.Model):
    """What a group of the company's directory gives to its members here, from their next sign-in on."""

    name = models.CharField(
        _("group of the directory"),
        max_length=500,
        help_text=_("As the directory calls it: a name, an identifier, or of LDAP the whole DN. Case does not matter."),
    )
    group = models.ForeignKey(Group, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("group"))
    makes_staff = models.BooleanField(_("opens the administration"), default=False)
    makes_superuser = models.BooleanField(_("sees and does everything"), default=False)

    class Meta:
        ordering = ["name"]
        verbose_name = _("group of the directory")
        verbose_name_plural = _("groups of the directory")
        constraints = [models.UniqueConstraint("name", "group", name="directory_group_once", nulls_distinct=False)]

    def __str__(self) -> str:
        return self.name


class DirectoryAccount(models.Model):
    """What a directory said of an account last, and what it gave: that alone it takes away again."""

    class Source(models.TextChoices):
        OIDC = "oidc", "OpenID Connect"
        LDAP = "ldap", "LDAP"
        SAML = "saml", "SAML"

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="directory_account")
    source = models.CharField(_("directory"), max_length=10, choices=Source.choices)
    names = ArrayField(models.CharField(max_length=500), default=list, verbose_name=_("its groups there"))
    groups = models.ManyToManyField(Group, related_name="+", verbose_name=_("groups that it gave"))
    gave_staff = models.BooleanField(default=False)
    gave_superuser = models.BooleanField(default=False)
    said_at = models.DateTimeField(_("last heard of it"))

    class Meta:
        verbose_name = _("account of the directory")
        verbose_name_plural = _("accounts of the directory")

    def __str__(self) -> str:
        return str(self.user)
