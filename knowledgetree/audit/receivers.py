"""What Django tells of itself: who signed in and out, and what was done in the admin beside configuration."""

from typing import Any

from auditlog.registry import auditlog
from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db.models.signals import post_save
from django.http import HttpRequest

from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import Subject, record

Action = AuditEntry.Action

_ACTIONS = {ADDITION: Action.CREATE, CHANGE: Action.UPDATE, DELETION: Action.DELETE}
_BY_SERVICES = {"ingestion.chunk", "ingestion.document"}
"""What services record, whatever door their callers come in by."""


def record_sign_in(sender: Any, *, user: Any, **_: Any) -> None:
    record(Action.SIGN_IN, viewer=user)


def record_sign_out(sender: Any, *, user: Any, **_: Any) -> None:
    if user is not None:
        record(Action.SIGN_OUT, viewer=user)


def record_failed_sign_in(sender: Any, *, credentials: Any, **_: Any) -> None:
    """A name that nobody has is not kept: people type their password there."""
    users, name = get_user_model(), str(credentials.get("username") or credentials.get("email") or "")
    known = users._default_manager.filter(**{users.USERNAME_FIELD: name}).first() if name else None
    record(Action.SIGN_IN_FAILED, viewer=known, outcome="wrong_password" if known else "unknown_name")


def record_deed_of_the_admin(sender: Any, *, instance: LogEntry, created: bool, **_: Any) -> None:
    """What the admin's own history notes, without its words: of a document they would be its title.

    Left out is what django-auditlog records with old and new values.
    """
    model = instance.content_type.model_class() if instance.content_type else None
    if not created or model is None or auditlog.contains(model) or model._meta.label_lower in _BY_SERVICES:
        return
    subject = Subject(kind=model._meta.label_lower, number=str(instance.object_id or ""))
    record(_ACTIONS[instance.action_flag], viewer=instance.user, subject=subject)


class RecordsDeletions:
    """A part of a `ModelAdmin`: of several rows that are deleted at once Django's history tells nobody."""

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        entries = super().log_deletions(request, queryset)  # type: ignore[misc]
        for entry in entries if isinstance(entries, list) and len(entries) > 1 else ():
            record_deed_of_the_admin(LogEntry, instance=entry, created=True)
        return entries


def connect() -> None:
    """Called once, when all apps are there."""
    user_logged_in.connect(record_sign_in, dispatch_uid="knowledgetree.audit")
    user_logged_out.connect(record_sign_out, dispatch_uid="knowledgetree.audit")
    user_login_failed.connect(record_failed_sign_in, dispatch_uid="knowledgetree.audit")
    post_save.connect(record_deed_of_the_admin, sender=LogEntry, dispatch_uid="knowledgetree.audit")
