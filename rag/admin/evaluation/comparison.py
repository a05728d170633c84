"""Two measurements of the same set: what differs, and whether that is more than chance."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from rag.admin.evaluation.results import linked, main_measure
from rag.evaluation.labels import MEASURES, label
from rag.evaluation.measures.significance import LEVEL, Difference, compare_scores
from rag.models import EvaluationRun
from rag.selectors import visible_runs

_MOST_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A measure of both runs. `same` counts questions with equal scores, `verdict` says it in words."""

    name: str
    difference: Difference
    same: int
    verdict: str


@require_safe
def comparison_view(request: HttpRequest) -> HttpResponse:
    """`?before=1&after=2`, numbers of runs; one that the user may not see is not there."""
    if not request.user.has_perm("rag.view_evaluationrun"):
        raise PermissionDenied
    before, after = (_run(request, name) for name in ("before", "after"))
    comparable = (before.dataset, before.kind) == (after.dataset, after.kind)
    differences = compare_scores(before.scores, after.scores) if comparable else ()
    main = next((one for one in differences if one.measure == main_measure(after.metrics)), None)
    changed = _changes(before, after, main.measure) if main else []
    context = {
        **admin.site.each_context(request),
        "title": _("Two runs compared"),
        "before": before,
        "after": after,
        "comparable": comparable,
        "compared": [compared(one) for one in differences],
        "main": compared(main) if main else None,
        "gained": linked(after, [item for item in reversed(changed) if item[1] > 0][:_MOST_SHOWN]),
        "lost": linked(after, [item for item in changed if item[1] < 0][:_MOST_SHOWN]),
    }
    return TemplateResponse(request, "admin/rag/evaluationrun/comparison.html", context)


def compared(one: Difference) -> Compared:
    return Compared(
        name=label(MEASURES, one.measure),
        difference=one,
        same=one.questions - one.better - one.worse,
        verdict=verdict(one),
    )


def verdict(one: Difference) -> str:
    """Whether the later run is better, for people who know no statistics."""
    if not one.better and not one.worse:
        return _("No difference on any question.")
    if not one.significant:
        return _("The difference is not significant: it may be chance.")
    said = {"p": number_format(one.p, 4), "level": number_format(LEVEL, 2)}
    if one.change > 0:
        return _("The later run is better; that is hardly chance (p = %(p)s, below %(level)s).") % said
    return _("The later run is worse; that is hardly chance (p = %(p)s, below %(level)s).") % said


def _run(request: HttpRequest, name: str) -> EvaluationRun:
    number = request.GET.get(name, "")
    return get_object_or_404(visible_runs(request.user), pk=int(number) if number.isdecimal() else 0)


def _changes(before: EvaluationRun, after: EvaluationRun, measure: str) -> Sequence[tuple[str, float]]:
    """(question, change of the measure), the greatest loss first; those that changed alone."""
    found = [
        (key, scores[measure] - before.scores[key][measure])
        for key, scores in after.scores.items()
        if measure in scores and measure in before.scores.get(key, {})
    ]
    return sorted(((key, change) for key, change in found if change), key=lambda item: item[1])
