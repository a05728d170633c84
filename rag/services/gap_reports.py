"""Readers report that the documents lack an answer: once a reader and question."""

from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from ingestion.models.viewers import Viewer
from ingestion.selectors import readable_documents
from rag.models import GapReport, KnowledgeGap
from rag.selectors import seen_exchange
from rag.selectors.documents import ShownDocument, shown_documents
from rag.services.feedback import whose
from rag.services.gaps import InvalidGap

LONGEST_COMMENT = 500
MOST_TOLD = 3
REPORTED = ("not_found", "not_certain")
"""Outcomes that can be reported; of an answer its reader says by thumbs what is wrong with it."""


def report_gap(*, exchange: UUID, viewer: Viewer, session_key: str = "", comment: str = "") -> GapReport:
    """The reader's report; where there is one already, that one as it is.

    The question comes into the inbox with the next intake, as every unanswered one does; the report says that somebody
    waits for it. Raises Exchange.DoesNotExist where `viewer` does not see the answer, InvalidGap where there is an
    answer or the comment is too long.
    """
    seen = seen_exchange(exchange, viewer, session_key).exchange
    comment = " ".join(comment.replace("\x00", "").split())
    if seen.outcome not in REPORTED:
        raise InvalidGap(
            _("This question has an answer."), remedy=_("Say with a thumb under the answer what is wrong with it.")
        )
    if len(comment) > LONGEST_COMMENT:
        raise InvalidGap(
            _("The comment has %(length)d characters; at most %(most)d are kept.")
            % {"length": len(comment), "most": LONGEST_COMMENT},
            remedy=_("Shorten it and send it again."),
        )
    own = whose(viewer, session_key)
    report, _created = GapReport.objects.get_or_create(exchange=seen, **own, defaults={"comment": comment})
    return report


def mark_told(*, report: int, viewer: Viewer, session_key: str = "") -> None:
    """Its reader knows that there is an answer; a report of somebody else stays as it is."""
    if viewer.is_authenticated or session_key:
        GapReport.objects.filter(pk=report, **whose(viewer, session_key)).update(told=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledGap:
    """A question that the viewer reported and documents answer by now; `document`: which one, if they may read it."""

    report: int
    question: str
    document: ShownDocument | None


def filled_gaps(viewer: Viewer, session_key: str = "") -> list[FilledGap]:
    """What the viewer has not been told yet, the newest first."""
    if not (viewer.is_authenticated or session_key):
        return []
    own = GapReport.objects.filter(told=False, exchange__gaps__status=KnowledgeGap.Status.ANSWERED)
    rows = own.filter(**whose(viewer, session_key)).values_list(
        "pk", "exchange__question", "exchange__gaps__answered_by"
    )
    told = list(rows[:MOST_TOLD])
    wanted = readable_documents(viewer).filter(pk__in=[document for _pk, _question, document in told if document])
    documents = {shown.pk: shown for shown in shown_documents(viewer, wanted)} if told else {}
    return [FilledGap(report=pk, question=question, document=documents.get(number)) for pk, question, number in told]


def reported_by(conversation: UUID, viewer: Viewer, session_key: str = "") -> set[UUID]:
    """The exchanges of a conversation that `viewer` has reported."""
    if not (viewer.is_authenticated or session_key):
        return set()
    own = GapReport.objects.filter(exchange__conversation=conversation, **whose(viewer, session_key))
    return set(own.values_list("exchange_id", flat=True))
