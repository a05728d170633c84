"""The board of contradictions: what documents in force state differently, with what an editor decided about it."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from knowledgetree.errors import KnowledgeTreeError
from rag.insight.conflicts.board import (
    ConflictGroup,
    cleared_groups,
    group_of,
    groups_of_owner,
    number_cleared,
    number_of_owner,
    number_open,
    open_groups,
    with_statements,
)
from rag.models import Conflict
from rag.selectors.conflicts import visible_conflicts
from rag.services.conflicts import check_open, decide_conflicts, take_back_decisions

_PAGE = 20
_ALIKE = {
    Conflict.Decision.BY_DATE: gettext_lazy("Both, each at its time"),
    Conflict.Decision.BY_UNIT: gettext_lazy("Both, each for its unit"),
    Conflict.Decision.APART: gettext_lazy("Not about the same"),
    Conflict.Decision.NEITHER: gettext_lazy("Neither"),
}


@require_safe
@never_cache
def board_view(request: HttpRequest) -> HttpResponse:
    """What waits for a decision, with `own` of documents that the viewer brought, with `cleared` what was decided."""
    if not may_view(request):
        raise PermissionDenied
    cleared, own = bool(request.GET.get("cleared")), bool(request.GET.get("own"))
    among = cleared_groups if cleared else groups_of_owner if own else open_groups
    groups = among(request.user)
    page = Paginator(groups, _PAGE).get_page(request.GET.get("p"))
    waiting = number_open(request.user) if cleared or own else len(groups)
    decided = len(groups) if cleared else number_cleared(request.user)
    of_owner = len(groups) if own and not cleared else number_of_owner(request.user)
    context = {
        **admin.site.each_context(request),
        "title": _("Contradictions"),
        "tabs": _tabs(waiting, of_owner, decided, "cleared" if cleared else "own" if own else ""),
        "cleared": cleared,
        "own": own and not cleared,
        "page": page,
        "groups": with_statements(list(page.object_list), request.user),
        "may_decide": may_change(request),
        "alike": _ALIKE.items(),
    }
    return TemplateResponse(request, "admin/conflicts/board.html", context)


@require_POST
def decide_view(request: HttpRequest, pk: int) -> HttpResponse:
    """`right`: the number of the statement that is right; else `decision`. With `reopen` the decision is taken back."""
    if not may_change(request):
        raise PermissionDenied
    again = "reopen" in request.POST
    groups = cleared_groups(request.user) if again else open_groups(request.user)
    try:
        if group := group_of(pk, groups):
            _decide(request, group, again=again)
        else:
            _say_who_decided(request, pk)
    except KnowledgeTreeError as error:
        messages.error(request, str(error))
    return redirect(reverse("admin:rag_conflict_changelist") + ("?cleared=1" if again else ""))


def may_view(request: HttpRequest) -> bool:
    return request.user.has_perm("ingestion.view_document") or may_change(request)


def may_change(request: HttpRequest) -> bool:
    return request.user.has_perm("ingestion.change_document")


def badge(request: HttpRequest) -> str:
    """How many wait for a decision, for the sidebar; "" where none does."""
    waiting = number_open(request.user) if may_view(request) else 0
    return str(waiting) if waiting else ""


def _decide(request: HttpRequest, group: ConflictGroup, *, again: bool) -> None:
    by = request.user
    assert by.is_authenticated  # noqa: S101 (the admin lets in nobody else)
    if again:
        take_back_decisions(conflicts=group.conflicts)
        messages.success(request, _("The contradiction waits for a decision again."))
    else:
        right, decision = request.POST.get("right", ""), request.POST.get("decision", "")
        chosen = int(right) if right.isdecimal() else None
        decide_conflicts(conflicts=group.conflicts, right=chosen, decision=decision, by=by)
        messages.success(request, _("Decided. It comes back only where one of the documents is worded anew."))
    said: Any = [{"changed": {"fields": ["decision"]}}]
    LogEntry.objects.log_actions(str(by.pk), list(group.conflicts), CHANGE, said)


def _say_who_decided(request: HttpRequest, pk: int) -> None:
    """Of a contradiction that is on neither list of this viewer there is nothing to say."""
    conflict = visible_conflicts(request.user).select_related("decided_by").filter(pk=pk).first()
    if conflict is None:
        raise Http404
    check_open([conflict])


def _tabs(waiting: int, own: int, decided: int, current: str) -> list[dict[str, Any]]:
    board = reverse("admin:rag_conflict_changelist")
    shown = [("", _("not decided"), waiting), ("own", _("about my documents"), own), ("cleared", _("cleared"), decided)]
    return [
        {"name": name, "number": number, "address": f"{board}?{key}=1" if key else board, "current": key == current}
        for key, name, number in shown
    ]
