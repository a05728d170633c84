"""The inbox of knowledge gaps: questions that the documents do not answer, as work to be done."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from rag.insight.analytics.inbox import as_shown, counts_by_status, gap_of_questions, gaps_for
from rag.insight.analytics.intake import gather_gaps
from rag.insight.analytics.word_proposals import proposals_for
from rag.models import KnowledgeGap

_PAGE = 50
_ORDERS = {"times": ("-times", "-last", "-pk"), "last": ("-last", "-pk")}


@require_safe
@never_cache
def inbox_view(request: HttpRequest) -> HttpResponse:
    """One status at a time, the new ones first; opening it takes in what was asked since."""
    check_view(request)
    gather_gaps()
    status = request.GET.get("status", "")
    status = status if status in KnowledgeGap.Status.values else KnowledgeGap.Status.NEW
    order = request.GET.get("sort", "")
    order = order if order in _ORDERS else "times"
    found = gaps_for(request.user).filter(status=status).order_by(*_ORDERS[order])
    mine = bool(request.GET.get("mine"))
    page = Paginator(found.filter(assignee=request.user.pk) if mine else found, _PAGE).get_page(request.GET.get("p"))
    context = {
        **admin.site.each_context(request),
        "title": _("Knowledge gaps"),
        "tabs": _tabs(request, status),
        "status": status,
        "order": order,
        "mine": mine,
        "page": page,
        "gaps": as_shown(page.object_list, request.user),
        "words": proposals_for(request.user).count(),
    }
    return TemplateResponse(request, "admin/gaps/inbox.html", context)


@require_safe
@never_cache
def gap_of_question_view(request: HttpRequest, exchange: str) -> HttpResponse:
    """To the gap that a question belongs to, from lists of questions; to the inbox where it has none."""
    check_view(request)
    gather_gaps()
    number = gap_of_questions([exchange])
    if number and gaps_for(request.user).filter(pk=number).exists():
        return redirect("admin:rag_knowledgegap_change", number)
    return redirect("admin:rag_knowledgegap_changelist")


def check_view(request: HttpRequest) -> None:
    if not may_view(request):
        raise PermissionDenied


def check_change(request: HttpRequest) -> None:
    if not may_change(request):
        raise PermissionDenied


def may_view(request: HttpRequest) -> bool:
    return request.user.has_perm("rag.view_knowledgegap") or may_change(request)


def may_change(request: HttpRequest) -> bool:
    return request.user.has_perm("rag.change_knowledgegap")


def badge(request: HttpRequest) -> str:
    """The number of new gaps, for the sidebar; "" where there are none."""
    new = counts_by_status(request.user)[KnowledgeGap.Status.NEW] if may_view(request) else 0
    return str(new) if new else ""


def _tabs(request: HttpRequest, chosen: str) -> list[dict[str, Any]]:
    counts = counts_by_status(request.user)
    inbox = reverse("admin:rag_knowledgegap_changelist")
    return [
        {"name": label, "number": counts[value], "address": f"{inbox}?status={value}", "current": value == chosen}
        for value, label in KnowledgeGap.Status.choices
    ]
