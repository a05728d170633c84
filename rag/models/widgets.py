"""Widgets: an assistant on somebody else's page."""

import re
import secrets
from urllib.parse import urlsplit

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rag.models.assistants import Assistant

_DEFAULT_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9_.-]+|[0-9a-f:.]+")  # a name, or an IPv6 address without its brackets


def new_public_id() -> str:
    """Not a secret, since it stands in pages; random, so that nobody counts through the widgets of an installation."""
    return secrets.token_hex(8)


def origin_of(address: str) -> str:
    """The origin of a web site as a browser writes it into the header `Origin`: scheme, host and a port of its own.

    Raises ValidationError for what is none: another scheme, a path, a wildcard, `null`.
    """
    try:
        parts = urlsplit(address.strip())
        host, port = (parts.hostname or "").encode("idna").decode("ascii"), parts.port
    except ValueError as error:  # a port that is no number, a name that cannot be one
        raise ValidationError(_not_an_origin(address)) from error
    beyond = parts.path.strip("/") or parts.query or parts.fragment or parts.username or parts.password
    if parts.scheme not in _DEFAULT_PORTS or not _HOST.fullmatch(host) or beyond:
        raise ValidationError(_not_an_origin(address))
    host = f"[{host}]" if ":" in host else host
    own = f":{port}" if port and port != _DEFAULT_PORTS[parts.scheme] else ""
    return f"{parts.scheme}://{host}{own}"


def _not_an_origin(address: str) -> str:
    said = _("“%(address)s” is no origin. Write scheme and host, and a port where there is one: https://example.com.")
    return said % {"address": address}


class Widget(models.Model):
    """An assistant that visitors of the pages at `origins` may ask, with the rights of somebody not signed in."""

    public_id = models.CharField(
        gettext_lazy("public identifier"), max_length=32, unique=True, default=new_public_id, editable=False
    )
    name = models.CharField(
        gettext_lazy("name"), max_length=200, help_text=gettext_lazy("Stands above the conversation.")
    )
    assistant = models.ForeignKey(
        Assistant, models.CASCADE, related_name="widgets", verbose_name=gettext_lazy("assistant")
    )
    origins = ArrayField(
        models.CharField(max_length=300),
        verbose_name=gettext_lazy("allowed origins"),
        default=list,
        blank=True,
        help_text=gettext_lazy("Web sites that may show it, one a line, such as https://example.com. Empty: none."),
    )
    greeting = models.TextField(
        gettext_lazy("greeting"), max_length=500, blank=True, help_text=gettext_lazy("Before the first question.")
    )
    suggestions = ArrayField(
        models.CharField(max_length=120),
        verbose_name=gettext_lazy("suggested questions"),
        default=list,
        blank=True,
        help_text=gettext_lazy("One a line, at most four."),
    )
    enabled = models.BooleanField(gettext_lazy("in use"), default=True)
    created = models.DateTimeField(gettext_lazy("created"), auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]
        verbose_name = gettext_lazy("widget")
        verbose_name_plural = gettext_lazy("widgets")

    def __str__(self) -> str:
        return self.name
