"""Two measurements of the same set: what differs, and whether that is more than chance."""

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from rag.evaluation.measures.significance import compare_scores
from rag.evaluation.pages.run import comparable, run_page
from rag.evaluation.run_results import compared, linked, main_measure, score_changes
from rag.models import EvaluationRun
from rag.selectors import visible_runs

_MOST_SHOWN = 10


@require_safe
def comparison_view(request: HttpRequest) -> HttpResponse:
    """`?before=1&after=2`, numbers of runs; one that the user may not see is not there."""
    if not request.user.has_perm("rag.view_evaluationrun"):
        raise PermissionDenied
    before, after = (_run(request, name) for name in ("before", "after"))
    fit = comparable(before, after)
    differences = compare_scores(before.scores, after.scores) if fit else ()
    main = next((one for one in differences if one.measure == main_measure(after.metrics)), None)
    changed = score_changes(before, after, main.measure) if main else []
    context = {
        **admin.site.each_context(request),
        "title": _("Two runs compared"),
        "before": before,
        "after": after,
        "comparable": fit,
        "compared": [compared(one) for one in differences],
        "main": compared(main) if main else None,
        "gained": linked(after, [item for item in reversed(changed) if item[1] > 0][:_MOST_SHOWN]),
        "lost": linked(after, [item for item in changed if item[1] < 0][:_MOST_SHOWN]),
    }
    return TemplateResponse(request, "admin/rag/evaluationrun/comparison.html", context)


@require_safe
def report_view(request: HttpRequest, pk: int) -> HttpResponse:
    """A run as a file to be kept or printed, with `?before=1` against an earlier one, for who may see both."""
    run = get_object_or_404(visible_runs(request.user), pk=pk)
    before = _run(request, "before") if "before" in request.GET else None
    if before and not comparable(before, run):
        raise Http404
    name = f"evaluation-{before.pk}-{run.pk}.html" if before else f"evaluation-{run.pk}.html"
    return HttpResponse(run_page(run, before), headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _run(request: HttpRequest, name: str) -> EvaluationRun:
    number = request.GET.get(name, "")
    return get_object_or_404(visible_runs(request.user), pk=int(number) if number.isdecimal() else 0)
