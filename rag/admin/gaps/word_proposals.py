"""Words that readers use and documents do not, to be accepted as synonyms or rejected."""

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from knowledgetree.errors import KnowledgeTreeError
from rag.admin.gaps.gaps import check_change, check_view, may_change
from rag.insight.analytics.word_proposals import proposals_for, propose_words, shown_proposals
from rag.models import WordProposal
from rag.services.word_proposals import accept_proposal, reject_proposal


@require_safe
@never_cache
def proposals_view(request: HttpRequest) -> HttpResponse:
    """Opening it looks for new ones."""
    check_view(request)
    propose_words()
    context = {
        **admin.site.each_context(request),
        "title": _("Proposed words"),
        "proposals": shown_proposals(request.user),
        "may_decide": may_decide(request),
    }
    return TemplateResponse(request, "admin/gaps/words.html", context)


@require_POST
def decide_view(request: HttpRequest, pk: int) -> HttpResponse:
    """`accept` writes a group of `word` and `offered`, anything else rejects the proposal."""
    check_change(request)
    if not may_decide(request):
        raise PermissionDenied
    proposal = proposals_for(request.user).filter(pk=pk).first()
    if proposal is None:
        raise Http404
    try:
        _decide(request, proposal)
    except KnowledgeTreeError as error:
        messages.error(request, str(error))
    return redirect("admin:rag_wordproposal_changelist")


def may_decide(request: HttpRequest) -> bool:
    """Who accepts one writes a synonym."""
    return may_change(request) and request.user.has_perm("ingestion.add_synonymgroup")


def _decide(request: HttpRequest, proposal: WordProposal) -> None:
    by = request.user
    assert by.is_authenticated  # noqa: S101 (the admin lets in nobody else)
    if "accept" not in request.POST:
        reject_proposal(proposal=proposal, by=by)
        messages.success(
            request, _("“%(word)s” will not be proposed for this document again.") % {"word": proposal.word}
        )
        return
    word, offered = request.POST.get("word", ""), request.POST.get("offered", "")
    group = accept_proposal(proposal=proposal, word=word, offered=offered, by=by)
    messages.success(request, _("From now on “%(word)s” is searched with its synonyms.") % {"word": group.name})
