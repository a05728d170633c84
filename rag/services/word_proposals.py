"""Editors decide about words that readers use and documents do not."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ingestion.models import Synonym, SynonymGroup
from ingestion.services.synonyms import save_synonym
from knowledgetree.errors import KnowledgeTreeError
from rag.models import WordProposal

Status = WordProposal.Status


class InvalidProposal(KnowledgeTreeError):
    code = "invalid_proposal"
    status = 400


@transaction.atomic
def accept_proposal(*, proposal: WordProposal, word: str, offered: str, by: User) -> SynonymGroup:
    """A one-way synonym group for the document's collection: whoever types `word` finds `offered` too.

    `offered` may be several words or phrases, separated by commas. Raises InvalidProposal where one of them is missing
    or the proposal is decided, IngestionError for a text that cannot be searched for.
    """
    proposal = _open_proposal(proposal)
    texts = list(dict.fromkeys(" ".join(text.split()) for text in [word, *offered.split(",")]))
    texts = [text for text in texts if text]
    if not word.strip() or len(texts) < 2:
        raise InvalidProposal(_("Write the word and what documents call it."))
    group = SynonymGroup.objects.create(
        name=texts[0][:200], collection=proposal.document.collection, direction=SynonymGroup.Direction.ONE_WAY
    )
    for position, text in enumerate(texts):
        save_synonym(synonym=Synonym(group=group, text=text[:200], position=position))
    proposal.offered = ", ".join(texts[1:])[:200]
    _decide(proposal, Status.ACCEPTED, by, group=group)
    return group


@transaction.atomic
def reject_proposal(*, proposal: WordProposal, by: User) -> None:
    """It is not proposed again. Raises InvalidProposal where it is decided."""
    _decide(_open_proposal(proposal), Status.REJECTED, by)


def _open_proposal(proposal: WordProposal) -> WordProposal:
    found = WordProposal.objects.select_for_update().filter(pk=proposal.pk, status=Status.NEW).first()
    if found is None:
        raise InvalidProposal(_("Somebody has decided about this word meanwhile."))
    return found


def _decide(proposal: WordProposal, status: str, by: User, *, group: SynonymGroup | None = None) -> None:
    proposal.status, proposal.group = status, group
    proposal.decided_by, proposal.decided = by, timezone.now()
    proposal.save()
    proposal.exchanges.clear()  # it is known without the questions from now on
