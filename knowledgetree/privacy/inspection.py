"""The report for an inspector: the register, what protects the data, and what ended in the last year."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import AbstractUser
from django.template.defaultfilters import date
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ingestion.admin.documents.erasing import WORDS
from ingestion.models import Erasure
from knowledgetree.audit.models import AuditEntry
from knowledgetree.backups import complete_backups
from knowledgetree.backups.errors import BackupFailed
from knowledgetree.conf import rag_settings
from knowledgetree.privacy.entry_texts import ending_in_words
from knowledgetree.privacy.register import RegisterEntry, register
from knowledgetree.privacy.whole_texts import embedding_host

PROVEN_DAYS = 365


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """`ended` are documents that ended by their term, `erased` those that were erased, each in a sentence."""

    made: datetime
    made_by: str
    entries: Sequence[RegisterEntry]
    safeguards: tuple[str, ...]
    ended: tuple[str, ...]
    erased: tuple[str, ...]


def inspect(viewer: AbstractUser) -> Inspection:
    """What `viewer` may read of it."""
    since = timezone.now() - timedelta(days=PROVEN_DAYS)
    entries = register(viewer)
    keys = [entry.collection.pk for entry in entries]
    ended = AuditEntry.objects.filter(
        action=AuditEntry.Action.FORGET, at__gte=since, details__has_key="ending", collections__overlap=keys
    )
    erased = Erasure.objects.filter(created__gte=since, collection__in=keys).select_related("collection", "erased_by")
    return Inspection(
        made=timezone.now(),
        made_by=viewer.get_username(),
        entries=entries,
        safeguards=tuple(safeguards()),
        ended=tuple(map(_ended, ended)),
        erased=tuple(map(erasure_in_words, erased)),
    )


def safeguards() -> Iterator[str]:
    """What keeps the data here, and what does not."""
    settings = rag_settings()
    if not settings.llm.configured:
        yield _("No language model is configured; nothing leaves this installation for one.")
    elif settings.llm.mask_personal_data:
        yield _("Language models are told stand-ins instead of the personal data that the program finds.")
        yield _("What its rules do not find they are told: in a test with labelled texts one name in ten.")
    else:
        yield _("Language models are told personal data.")
    if host := embedding_host():
        yield _("Vectors are made by %(host)s, which reads whole texts of documents and questions.") % {"host": host}
    if n := settings.audit.days:
        text = ngettext("The audit log is kept for %(n)s day.", "The audit log is kept for %(n)s days.", n)
        yield text % {"n": n}
    else:
        yield _("The audit log is kept for good.")
    yield backups_in_words()


def backups_in_words() -> str:
    """Which backups there are: they keep what was erased since, and nobody looks through them."""
    try:
        made = [manifest.moment for manifest in complete_backups()]
    except (BackupFailed, OSError):
        return _("Whether there are backups cannot be told: their place cannot be read.")
    if not made:
        return _("This program has made no backups.")
    days = ", ".join(date(timezone.localtime(moment), "SHORT_DATETIME_FORMAT") for moment in made)
    return _("Backups are not looked through and keep what was erased after them. There are those of: %(days)s.") % {
        "days": days
    }


def erasure_in_words(erasure: Erasure) -> str:
    told = {
        "when": date(timezone.localtime(erasure.created), "SHORT_DATETIME_FORMAT"),
        "number": erasure.document_number,
        "collection": erasure.collection or "–",
        "who": erasure.erased_by or _("the program itself"),
    }
    sentence = _("%(when)s: document %(number)s (%(collection)s), by %(who)s.") % told
    counts = ", ".join(f"{WORDS.get(name, name)}: {n}" for name, n in erasure.counts.items() if n)
    return f"{sentence} {_('Erased with it: %(counts)s.') % {'counts': counts}}" if counts else sentence


def _ended(entry: AuditEntry) -> str:
    told = {
        "when": date(timezone.localtime(entry.at), "SHORT_DATETIME_FORMAT"),
        "number": ", ".join(map(str, entry.documents)),
        "term": entry.details["term_days"],
        "ending": ending_in_words(entry.details["ending"]),
    }
    return _("%(when)s: document %(number)s, after %(term)s days: %(ending)s.") % told
