"""The audit log's table. Nothing leads from a row to another table: what it tells of may be gone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

LONGEST_VALUE = 500  # characters of a changed value: the instructions of an assistant are long


class AuditEntries(models.Manager["AuditEntry"]):
    """Also what django-auditlog writes through: it finds what changed in a configuration, this keeps it.

    Its two methods are called `log_create` and `log_m2m_changes`, and their arguments are the library's.
    """

    def log_create(self, instance: models.Model, *, action: str, changes: Any = None, **_library: Any) -> AuditEntry:
        """What was made, changed or deleted, field by field."""
        pairs = {name: [str(side)[:LONGEST_VALUE] for side in pair] for name, pair in (changes or {}).items()}
        return self._log_change(instance, action, pairs)

    def log_m2m_changes(
        self, changed_queryset: Iterable[models.Model], instance: models.Model, operation: str, field_name: str
    ) -> AuditEntry | None:
        """What was added to a relation or taken from it: `operation` is "add" or "delete"."""
        objects = [str(one)[:LONGEST_VALUE] for one in changed_queryset]
        if not objects:
            return None
        return self._log_change(instance, AuditEntry.Action.UPDATE, {field_name: {operation: objects}})

    def _log_change(self, instance: models.Model, action: str, changes: dict[str, Any]) -> AuditEntry:
        from knowledgetree.audit.recording import Subject, record_strictly

        return record_strictly(AuditEntry.Action(action), subject=Subject.of(instance), details={"changes": changes})


class AuditEntry(models.Model):
    """One deed of one person or program. A trigger lets nobody change or delete it but who honours a term or a right
    (`knowledgetree.audit.forgetting`).

    `outcome` is what came of it, where that is not plain; `text` what was asked or searched for, personal data covered;
    `session` tells anonymous readers apart and leads to nobody.
    """

    class Action(models.TextChoices):
        READ = "read", _("reading")
        DOWNLOAD = "download", _("download of an original")
        ASK = "ask", _("question asked")
        SEARCH = "search", _("search made")
        EXPORT = "export", _("export")
        SIGN_IN = "sign_in", _("sign-in")
        SIGN_IN_FAILED = "sign_in_failed", _("failed sign-in")
        SIGN_OUT = "sign_out", _("sign-out")
        CREATE = "create", _("addition")
        UPDATE = "update", _("change made")
        DELETE = "delete", _("deletion")
        ERASE = "erase", _("words erased")
        FORGET = "forget", _("end of a term")

    class Door(models.TextChoices):
        PAGE = "page", _("pages of readers")
        ADMIN = "admin", _("administration")
        API = "api", "API"
        OPENAI = "openai", "OpenAI"
        MCP = "mcp", "MCP"
        WIDGET = "widget", _("the widget")
        COMMAND = "command", _("a command")
        PROGRAM = "program", _("the program itself")

    at = models.DateTimeField(_("when"), default=timezone.now)
    action = models.CharField(_("what"), max_length=20, choices=Action.choices)
    outcome = models.CharField(_("outcome"), max_length=40, blank=True)
    user_number = models.BigIntegerField(_("number of the account"), null=True)
    user_name = models.CharField(_("who"), max_length=150, blank=True)
    key = models.CharField(_("API key"), max_length=10, blank=True)
    session = models.CharField(_("session"), max_length=16, blank=True)
    address = models.CharField(_("address"), max_length=45, blank=True)
    door = models.CharField(_("came in by"), max_length=10, choices=Door.choices)
    trace = models.CharField(_("number of the request"), max_length=64, blank=True)
    subject_type = models.CharField(_("kind of thing"), max_length=100, blank=True)
    subject = models.CharField(_("number of the thing"), max_length=64, blank=True)
    label = models.CharField(_("name of the thing"), max_length=200, blank=True)
    documents = ArrayField(models.BigIntegerField(), verbose_name=_("documents"), default=list)
    collections = ArrayField(models.BigIntegerField(), verbose_name=_("collections"), default=list)
    text = models.TextField(_("text"), blank=True)
    details = models.JSONField(_("details"), default=dict)

    objects = AuditEntries()

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("entry of the audit log")
        verbose_name_plural = _("audit log")
        default_permissions = ("view",)
        indexes = [
            models.Index(fields=["-at", "-id"], name="audit_by_time"),
            models.Index(fields=["user_name", "-at"], name="audit_by_user"),
            models.Index(fields=["subject_type", "subject"], name="audit_by_subject"),
            GinIndex(fields=["documents"], name="audit_by_document"),
        ]

    def __str__(self) -> str:
        return f"{self.pk}: {self.get_action_display()}"
