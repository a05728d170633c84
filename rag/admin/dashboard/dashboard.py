"""The dashboard: what was asked, how well it was answered, what it took, and what the documents lack."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ingestion.models.viewers import is_superuser
from rag.admin.dashboard.dashboard_charts import charts_of, dollars, duration, number, percent
from rag.admin.gaps.gaps import may_view
from rag.admin.language_models.budgets import used_bar
from rag.insight.analytics import InvalidPeriod, Period, Report, period_called, report_of
from rag.insight.analytics.costs import AssistantCost, MonthCost
from rag.insight.analytics.gaps import Gap
from rag.insight.analytics.questions import AskedQuestion
from rag.llm.spending.budgets import budget_states
from rag.selectors import editable_assistants

_DEFAULT = "30d"
_IN_GAP = 3  # questions shown
_IN_LINK = 50  # questions that a link opens; an address has its limits
_ROW = {"hour": "j E, H:i", "day": "D, j E", "week": "j E Y"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A number that stands for itself; `note` says of what."""

    name: str
    value: str
    note: str = ""


@require_safe
@never_cache
def dashboard_view(request: HttpRequest) -> HttpResponse:
    """Numbers are those of all questions; texts and titles only those that the user may read."""
    if not request.user.has_perm("rag.view_exchange"):
        raise PermissionDenied
    period = _period(request)
    report = report_of(period, request.user)
    context = {
        **admin.site.each_context(request),
        "title": _("Dashboard"),
        "report": report,
        "periods": [(name, words, name == period.name) for name, words in _choices()],
        "tiles": _tiles(report),
        "charts": charts_of(report),
        "rows": _rows(report),
        "inbox": may_view(request),
        "gaps": [_shown(gap, request) for gap in report.gaps],
        "asked": [_linked(question, request) for question in report.asked],
        "models": [
            (one.model, number(one.questions, 0), number(one.input, 0), number(one.output, 0), dollars(one.cost))
            for one in report.models
        ],
        "months": [(date_format(one.month, "F Y").lower(), *_spent(one)) for one in report.months],
        "assistants": [(one.name, *_spent(one)) for one in report.assistants],
        "budgets": list(_budgets(request)),
    }
    return TemplateResponse(request, "admin/dashboard/page.html", context)


def _period(request: HttpRequest) -> Period:
    try:
        return period_called(request.GET.get("last", _DEFAULT))
    except InvalidPeriod:
        return period_called(_DEFAULT)


def _choices() -> list[tuple[str, str]]:
    return [
        ("24h", _("24 hours")),
        ("7d", _("7 days")),
        ("30d", _("30 days")),
        ("12w", _("12 weeks")),
        ("52w", _("a year")),
    ]


def _tiles(report: Report) -> list[Tile]:
    total, shares = report.total, report.total.shares
    searches = ngettext("of %(n)s search", "of %(n)s searches", total.searched) % {"n": number(total.searched, 0)}
    judged = ngettext("of %(n)s judgement", "of %(n)s judgements", report.judged.total)
    return [
        Tile(name=_("Questions"), value=number(total.questions, 0)),
        Tile(name=_("Not found"), value=percent(shares["not_found"]), note=number(total.not_found, 0)),
        Tile(name=_("Not certain"), value=percent(shares["not_certain"]), note=number(total.not_certain, 0)),
        Tile(name=_("Good sources"), value=percent(shares["high"]), note=_("of those graded")),
        Tile(
            name=_("Judged helpful"),
            value=percent(report.judged.share),
            note=judged % {"n": number(report.judged.total, 0)},
        ),
        Tile(name=_("Searches corrected"), value=percent(shares["corrected"]), note=searches),
        Tile(name=_("No word found"), value=percent(shares["wordless"]), note=_("of searches")),
        Tile(name=_("From the cache"), value=percent(shares["cached"]), note=number(total.cached, 0)),
        Tile(
            name=_("Time to the answer"),
            value=duration(total.median),
            note=_("95%% within %(time)s") % {"time": duration(total.p95)},
        ),
        Tile(name=_("Cost"), value=dollars(total.cost)),
    ]


def _rows(report: Report) -> list[list[str]]:
    """The charts as a table; buckets in which nobody asked are left out."""
    return [
        [
            date_format(bucket.start, _ROW[report.period.unit]),
            *(number(count, 0) for count in (one.questions, one.high, one.medium, one.low, one.not_found)),
            percent(one.shares["corrected"]),
            percent(one.shares["wordless"]),
            percent(one.shares["cached"]),
            duration(one.median),
            duration(one.p95),
            dollars(one.cost),
        ]
        for bucket in report.buckets
        if (one := bucket.figures).questions
    ]


def _budgets(request: HttpRequest) -> Iterator[tuple[str, str, str]]:
    """Name, bar and level of the installation's and of the assistants that the user may see."""
    seen = {None, *editable_assistants(request.user).values_list("pk", flat=True)}
    for state in budget_states():
        if state.assistant in seen:
            yield state.name or _("the installation"), used_bar(state), state.level


def _spent(one: MonthCost | AssistantCost) -> tuple[str, str, str]:
    """Requests, tokens and cost, with a mark where some tokens have no price."""
    cost = dollars(one.cost) + ("*" if one.unpriced else "")
    return number(one.requests, 0), number(one.tokens, 0), cost


def _shown(gap: Gap, request: HttpRequest) -> dict[str, Any]:
    """With its first questions, how many more it has, and the address of all."""
    keys = [key for question in gap.questions for key in question.exchanges]
    return {
        "gap": gap,
        "address": _address(keys, request),
        "inbox": reverse("admin:rag_knowledgegap_of_question", args=keys[:1]) if may_view(request) else "",
        "questions": [_linked(question, request) for question in gap.questions[:_IN_GAP]],
        "more": max(0, len(gap.questions) - _IN_GAP),
    }


def _linked(question: AskedQuestion, request: HttpRequest) -> dict[str, Any]:
    return {"question": question, "address": _address(question.exchanges, request)}


def _address(exchanges: Sequence[UUID], request: HttpRequest) -> str:
    """Of these exchanges in the admin; empty for those who may not open them."""
    keys = ",".join(map(str, exchanges[:_IN_LINK]))
    return f"{reverse('admin:rag_exchange_changelist')}?id__in={keys}" if is_superuser(request.user) else ""
