"""What a letter says of each kind of event, read when it is written, as its reader may see it then.

Titles and questions have their personal data covered whatever the reader may see here: mail goes through servers of
others. Texts of documents are in no letter.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ingestion.library.validity.proposals import open_proposals
from ingestion.models import Document
from ingestion.models.viewers import is_editor, is_superuser
from ingestion.selectors import visible_documents, visible_sources
from ingestion.text.personal_data.masking import masked
from knowledgetree.backups import find_backup
from knowledgetree.backups.errors import BackupFailed, NoSuchBackup
from knowledgetree.events.models import Occurrence
from knowledgetree.events.registry import AnnouncedEvent
from rag.insight.analytics.inbox import as_shown, covered, gaps_for
from rag.insight.analytics.word_proposals import proposals_for
from rag.models import Conflict, KnowledgeGap
from rag.selectors.conflicts import visible_conflicts
from rag.selectors.evaluation import visible_runs

MOST_LINES = 10
"""Of one kind; the rest is one click away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterLine:
    """`address` is a path of this site."""

    text: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterSection:
    """What happened of one kind; `things` is how many, of which `lines` name the first."""

    heading: str
    things: int
    lines: tuple[LetterLine, ...]
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterKind:
    """An event that letters tell of, to editors with `permission`, "" for superusers alone. `read` gives the lines of
    what is still so, and the page that has them all.
    """

    event: AnnouncedEvent
    permission: str
    read: Callable[[User, Sequence[Occurrence]], tuple[list[LetterLine], str]]
    urgent: bool = False

    def is_for(self, user: User) -> bool:
        return is_editor(user, self.permission) if self.permission else is_superuser(user)


def kinds_for(user: User) -> list[LetterKind]:
    """Those that `user` may be told of; none for readers."""
    return [kind for kind in KINDS if kind.is_for(user)]


def sections_of(user: User, occurrences: Iterable[Occurrence]) -> list[LetterSection]:
    """What of these `user` may read and is still so; kinds without anything are left out."""
    happened = list(occurrences)
    sections = []
    for kind in kinds_for(user):
        if of_kind := [one for one in happened if one.event == kind.event]:
            lines, address = kind.read(user, of_kind)
            if lines:
                sections.append(
                    LetterSection(
                        heading=str(kind.event.label),
                        things=len(lines),
                        lines=tuple(lines[:MOST_LINES]),
                        address=address,
                    )
                )
    return sections


def _numbers(occurrences: Iterable[Occurrence]) -> Collection[int]:
    return {number for one in occurrences for number in one.numbers}


def _failed_sources(user: User, occurrences: Sequence[Occurrence]) -> tuple[list[LetterLine], str]:
    found = visible_sources(user).filter(pk__in=_numbers(occurrences), last_result__status="failed").order_by("name")
    lines = [
        LetterLine(text=masked(source.name), address=reverse("admin:ingestion_source_change", args=[source.pk]))
        for source in found
    ]
    return lines, reverse("admin:ingestion_source_changelist")


def _failed_documents(user: User, occurrences: Sequence[Occurrence]) -> tuple[list[LetterLine], str]:
    found = visible_documents(user).filter(pk__in=_numbers(occurrences)).exclude(error_code="")
    lines = [
        LetterLine(text=masked(document.title), address=reverse("admin:ingestion_document_change", args=[document.pk]))
        for document in found.order_by("title", "pk")
    ]
    failed = {"status__exact": Document.Status.FAILED}
    return lines, reverse("admin:ingestion_document_changelist", query=failed)


def _gaps(user: User, occurrences: Sequence[Occurrence]) -> tuple[list[LetterLine], str]:
    found = gaps_for(user).filter(pk__in=_numbers(occurrences), status__in=KnowledgeGap.OPEN)
    lines = [
        LetterLine(text=covered(shown).name, address=reverse("admin:rag_knowledgegap_change", args=[shown.gap.pk]))
        for shown in as_shown(found, user)
    ]
    return lines, reverse("admin:rag_knowledgegap_changelist")


def _proposals(user: User, occurrences: Sequence[Occurrence]) -> tuple[list[LetterLine], str]:
    found = proposals_for(user).filter(pk__in=_numbers(occurrences))
    page = reverse("admin:rag_wordproposal_changelist")
    return [LetterLine(text=masked(str(proposal)), address=page) for proposal in found], page


def _conflicts(user: User, occurrences: Sequence[Occurrence]) -> tuple[list[LetterLine], str]:
    numbers = _numbers(occurrences)
    n = visible_conflicts(user).filter(pk__in=numbers, decision=Conflict.Decision.OPEN).count()
    page = reverse("admin:rag_conflict_changelist")
    text = ngettext("%(n)d new contradiction", "%(n)d new contradictions", n) % {"n": n}
    return [LetterLine(text=text, address=page)] if n else [], page


def _proposed_validities(user: User, occurrences: Sequence[Occurrence]) -> tuple[list[LetterLine], str]:
    """A number: sentences of documents are in no letter."""
    n = open_proposals(user).filter(pk__in=_numbers(occurrences)).count()
    page = reverse("admin:ingestion_validityproposal_changelist")
    text = ngettext("%(n)d date to be accepted or rejected", "%(n)d dates to be accepted or rejected", n) % {"n": n}
    return [LetterLine(text=text, address=page)] if n else [], page


def _worse_measurements(user: User, occurrences: Sequence[Occurrence]) -> tuple[list[LetterLine], str]:
    found = visible_runs(user).filter(pk__in=_numbers(occurrences)).order_by("pk")
    lines = [
        LetterLine(
            text=masked(f"{run.dataset} ({run.preset})"),
            address=reverse("admin:rag_evaluationrun_change", args=[run.pk]),
        )
        for run in found
    ]
    return lines, reverse("admin:rag_evaluationrun_changelist")


def _missed_backups(user: User, occurrences: Sequence[Occurrence]) -> tuple[list[LetterLine], str]:
    """Nothing where one was made since."""
    page = reverse("admin:index")
    last = max(one.created for one in occurrences)
    try:
        newest = find_backup().moment
    except NoSuchBackup:
        newest = None
    except (BackupFailed, OSError):  # the place itself is away
        return [LetterLine(text=_("The place of the backups cannot be read."), address=page)], page
    if newest and newest > last:
        return [], page
    when = newest.strftime("%Y-%m-%d %H:%M") if newest else "–"
    text = _("The newest backup is of %(when)s. See the log of the worker, then run knowledgetree backup.")
    text %= {"when": when}
    return [LetterLine(text=text, address=page)], page


KINDS = (
    LetterKind(event=AnnouncedEvent.BACKUP_MISSED, permission="", read=_missed_backups, urgent=True),
    LetterKind(
        event=AnnouncedEvent.SOURCE_FAILED, permission="ingestion.view_source", read=_failed_sources, urgent=True
    ),
    LetterKind(event=AnnouncedEvent.DOCUMENT_FAILED, permission="ingestion.view_document", read=_failed_documents),
    LetterKind(
        event=AnnouncedEvent.EVALUATION_WORSE,
        permission="rag.view_evaluationrun",
        read=_worse_measurements,
        urgent=True,
    ),
    LetterKind(event=AnnouncedEvent.CONFLICTS_FOUND, permission="ingestion.view_document", read=_conflicts),
    LetterKind(
        event=AnnouncedEvent.VALIDITIES_PROPOSED, permission="ingestion.change_document", read=_proposed_validities
    ),
    LetterKind(event=AnnouncedEvent.GAP_OPENED, permission="rag.view_knowledgegap", read=_gaps),
    LetterKind(event=AnnouncedEvent.PROPOSALS_WAITING, permission="rag.view_knowledgegap", read=_proposals),
)
"""The most pressing first."""
