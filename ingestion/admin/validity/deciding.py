"""Accepting and rejecting, a document at a time, each logged with the document."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib import messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ingestion.models import Document, ValidityProposal
from ingestion.services.validity import accept_proposals, reject_proposals
from knowledgetree.errors import KnowledgeTreeError


def decide(request: HttpRequest, proposals: Iterable[ValidityProposal], *, accept: bool) -> None:
    """Decide about open `proposals` as the user of the request, and say on the next page what came of it."""
    user = request.user
    assert user.is_authenticated  # noqa: S101 (the admin lets in nobody else)
    act, done = accept_proposals if accept else reject_proposals, 0
    for document, numbers in _by_document(proposals).items():
        try:
            decided = act(document=document, numbers=numbers, by=user)
        except KnowledgeTreeError as error:
            messages.error(request, f"{document}: {error}")
        else:
            done += decided
            if accept and decided:
                said = [{"changed": {"fields": ["valid_from", "valid_to"]}}]
                LogEntry.objects.log_actions(str(user.pk), [document], CHANGE, said)
    _say(request, done, accept=accept)


def _by_document(proposals: Iterable[ValidityProposal]) -> dict[Document, list[int]]:
    numbers: dict[Document, list[int]] = {}
    for one in proposals:
        numbers.setdefault(one.document, []).append(one.pk)
    return numbers


def _say(request: HttpRequest, done: int, *, accept: bool) -> None:
    if not done:
        messages.warning(request, _("Nothing was decided: the proposal is not open any more."))
    elif accept:
        said = ngettext(
            "%(n)d proposal accepted: the date is set.", "%(n)d proposals accepted: the dates are set.", done
        )
        messages.success(request, said % {"n": done})
    else:
        said = ngettext(
            "%(n)d proposal rejected. It comes back only where the text changes.",
            "%(n)d proposals rejected. They come back only where the texts change.",
            done,
        )
        messages.success(request, said % {"n": done})
