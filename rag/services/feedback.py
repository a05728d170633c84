"""What readers think of answers: one judgement a reader and answer, which can be changed and taken back."""

from typing import Any
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser
from django.utils.translation import gettext as _

from ingestion.models.viewers import Viewer
from knowledgetree.errors import KnowledgeTreeError
from rag.models import Feedback
from rag.selectors import seen_exchange

LONGEST_COMMENT = 2000


class InvalidFeedback(KnowledgeTreeError):
    code = "invalid_feedback"


def judge(
    *, exchange: UUID, viewer: Viewer, session_key: str = "", verdict: str, reason: str = "", comment: str = ""
) -> Feedback:
    """Keeps the judgement in place of an earlier one. What helps has no `reason`: one that is given is left out.

    Raises Exchange.DoesNotExist where `viewer` does not see the answer, InvalidFeedback where the judgement is none.
    """
    seen = seen_exchange(exchange, viewer, session_key).exchange
    comment = comment.replace("\x00", "").replace("\r\n", "\n").strip()
    if verdict not in Feedback.Verdict.values:
        raise InvalidFeedback(
            _("An answer is either helpful or not helpful."), remedy=_("Choose one of the two judgements.")
        )
    if reason not in ("", *Feedback.Reason.values):
        raise InvalidFeedback(_("There is no such reason."), remedy=_("Choose one of those that are listed, or none."))
    if len(comment) > LONGEST_COMMENT:
        raise InvalidFeedback(
            _("The comment has %(length)d characters; at most %(most)d are kept.")
            % {"length": len(comment), "most": LONGEST_COMMENT},
            remedy=_("Shorten it and save it again."),
        )
    said = {"verdict": verdict, "reason": reason if verdict == Feedback.Verdict.BAD else "", "comment": comment}
    kept, _created = Feedback.objects.update_or_create(exchange=seen, **whose(viewer, session_key), defaults=said)
    return kept


def take_back(*, exchange: UUID, viewer: Viewer, session_key: str = "") -> None:
    """Nothing where there was none. Raises Exchange.DoesNotExist where `viewer` does not see the answer."""
    seen = seen_exchange(exchange, viewer, session_key).exchange
    Feedback.objects.filter(exchange=seen, **whose(viewer, session_key)).delete()


def feedback_of(conversation: UUID, viewer: Viewer, session_key: str = "") -> dict[UUID, Feedback]:
    """What `viewer` said of the answers of a conversation, by exchange."""
    if not (viewer.is_authenticated or session_key):
        return {}
    given = Feedback.objects.filter(exchange__conversation=conversation, **whose(viewer, session_key))
    return {one.exchange_id: one for one in given}


def whose(viewer: Viewer, session_key: str) -> dict[str, Any]:
    """The columns `user` and `session_key` of what a reader says: an account, or an anonymous browser session."""
    if isinstance(viewer, AbstractBaseUser):
        return {"user_id": viewer.pk, "session_key": ""}
    return {"user": None, "session_key": session_key}
