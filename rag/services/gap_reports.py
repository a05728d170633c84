"""Readers report that the documents lack an answer: once a reader and question."""

from uuid import UUID

from django.utils.translation import gettext as _

from ingestion.models.viewers import Viewer
from rag.models import GapReport
from rag.selectors import seen_exchange
from rag.services.feedback import whose
from rag.services.gaps import InvalidGap

LONGEST_COMMENT = 500
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


def reported_by(conversation: UUID, viewer: Viewer, session_key: str = "") -> set[UUID]:
    """The exchanges of a conversation that `viewer` has reported."""
    if not (viewer.is_authenticated or session_key):
        return set()
    own = GapReport.objects.filter(exchange__conversation=conversation, **whose(viewer, session_key))
    return set(own.values_list("exchange_id", flat=True))
