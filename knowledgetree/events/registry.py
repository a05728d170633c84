"""The events that are announced: the one list that webhooks and letters choose from."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class AnnouncedEvent(models.TextChoices):
    """What is told. The values stand in messages and in tables, so they never change."""

    DOCUMENT_READY = "document.ready", _("a document is ready")
    DOCUMENT_FAILED = "document.failed", _("a document could not be read")
    SOURCE_FAILED = "source.failed", _("a source can no longer be read")
    GAP_OPENED = "gap.opened", _("a knowledge gap was opened")
    PROPOSALS_WAITING = "proposals.waiting", _("words are proposed")
    VALIDITIES_PROPOSED = "validities.proposed", _("dates of validity are proposed")
    CONFLICTS_FOUND = "conflicts.found", _("documents contradict each other")
    EVALUATION_WORSE = "evaluation.worse", _("a measurement is worse than the one before")
    BACKUP_MISSED = "backup.missed", _("a night made no backup")
    TEST = "test", _("a test")


ONLY_TO_PROGRAMS = frozenset({AnnouncedEvent.DOCUMENT_READY, AnnouncedEvent.TEST})
"""Nobody wants a letter for each document that was read."""
