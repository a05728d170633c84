"""What owners do with their conversations."""

import uuid
from collections.abc import Callable

from django.utils import timezone
from django.utils.translation import gettext as _

from knowledgetree.errors import KnowledgeTreeError
from rag.models import Conversation

LONGEST_TITLE = 200


class InvalidTitle(KnowledgeTreeError):
    code = "invalid_title"


class NotToBeShared(KnowledgeTreeError):
    code = "not_to_be_shared"


def claim_conversation(conversation: Conversation | None) -> Callable[[], bool]:
    """Makes this the question that `conversation` is answering; the result says whether a newer one is by now."""
    if conversation is None:
        return lambda: False
    own = uuid.uuid4()
    mine = Conversation.objects.filter(pk=conversation.pk)
    mine.update(answering=own)
    return lambda: not mine.filter(answering=own).exists()


def rename(*, conversation: Conversation, title: str) -> None:
    """Its place in the list stays: that is the time of the last question. Raises InvalidTitle."""
    title = " ".join(title.replace("\x00", "").split())
    if not 0 < len(title) <= LONGEST_TITLE:
        raise InvalidTitle(
            _("A name has 1 to %(most)d characters.") % {"most": LONGEST_TITLE}, remedy=_("Write another one.")
        )
    _change(conversation, title=title)


def share(*, conversation: Conversation) -> None:
    """Signed-in users who have the address may read it from now on. Raises NotToBeShared where nobody owns it."""
    if conversation.owner_id is None:
        raise NotToBeShared(_("Only signed-in users can share conversations."), remedy=_("Sign in and ask again."))
    if not conversation.shared:
        _change(conversation, shared=timezone.now())


def unshare(*, conversation: Conversation) -> None:
    _change(conversation, shared=None)


def delete(*, conversation: Conversation) -> None:
    """With its questions, answers and what readers thought of them."""
    conversation.delete()


def _change(conversation: Conversation, **values: object) -> None:
    """Without touching `modified`."""
    Conversation.objects.filter(pk=conversation.pk).update(**values)
    for name, value in values.items():
        setattr(conversation, name, value)
