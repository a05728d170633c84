"""The hit-testing page: a question, two configurations side by side, and marks into an evaluation set."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ingestion.models.viewers import Viewer
from ingestion.selectors import visible_collections
from knowledgetree.errors import KnowledgeTreeError
from rag.admin.hit_testing.columns import Column, column_of, measured, parts_that_differ
from rag.admin.hit_testing.form import ConfigurationForm, HitTestForm
from rag.evaluation.retrieval import DEPTH
from rag.models import EvaluationDataset
from rag.selectors import may_mark, may_view
from rag.services.hit_testing import SHOWN, Tried, try_configuration, warm_up
from rag.services.judging import grades_of, question_in, refusal

SIDES = ("a", "b")
_FIRST = {"b": {"reranker": "none"}}  # so that the first comparison shows something


@require_safe
@never_cache
def hit_testing_view(request: HttpRequest) -> HttpResponse:
    """Everything that is tried stands in the address, so that it can be sent to a colleague."""
    if not may_view(request.user):
        raise PermissionDenied
    asked = "question" in request.GET
    form = HitTestForm(request.GET if asked else None, request=request)
    sides = [_side(side, request, asked=asked) for side in SIDES]
    context = {
        **admin.site.each_context(request),
        "title": _("Hit testing"),
        "form": form,
        "sides": sides,
        "back": request.GET.urlencode(),
        "may_mark": may_mark(request.user),
        "may_create": may_mark(request.user) and request.user.has_perm("rag.add_evaluationdataset"),
        "own_collections": visible_collections(request.user),
        "shown": SHOWN,
    }
    if asked and form.is_valid() and all(side.is_valid() for side in sides):
        context |= _found(request, form, sides)
    return TemplateResponse(request, "admin/hit_testing/page.html", context)


def _side(side: str, request: HttpRequest, *, asked: bool) -> ConfigurationForm:
    data = request.GET if asked else None
    return ConfigurationForm(data, prefix=side, initial=_FIRST.get(side), viewer=request.user)


def _found(request: HttpRequest, form: HitTestForm, sides: list[ConfigurationForm]) -> dict[str, Any]:
    text: str = form.cleaned_data["question"]
    dataset: EvaluationDataset | None = form.cleaned_data["dataset"]
    judged = question_in(dataset, text) if dataset else None
    grades = grades_of(judged)
    tried = _both(text, sides, form.viewer, depth=DEPTH if grades else SHOWN)
    columns: list[Column | None] = [
        column_of(one, other, prefix=prefix, dataset=dataset, grades=grades, user=request.user)
        for prefix, one, other in zip(SIDES, tried, reversed(tried), strict=True)
    ]
    first, second = tried
    return {
        "asked": text,
        "dataset": dataset,
        "rule": refusal(dataset) if dataset else "",
        "columns": list(zip(sides, columns, strict=True)),
        "judged": judged,
        "measures": measured(grades, columns) if grades else [],
        "parts": parts_that_differ(first.preset, second.preset) if first and second else [],
        "both": first is not None and second is not None,
    }


def _both(text: str, sides: list[ConfigurationForm], viewer: Viewer, *, depth: int) -> list[Tried | None]:
    """None for a configuration that cannot be searched; its form then says why."""
    try:
        warm_up(text, viewer=viewer)
    except KnowledgeTreeError as error:
        sides[0].add_error(None, str(error))
        return [None, None]
    return [_tried(text, side, viewer, depth) for side in sides]


def _tried(text: str, side: ConfigurationForm, viewer: Viewer, depth: int) -> Tried | None:
    try:
        return try_configuration(text, side.configuration, viewer=viewer, top_k=depth)
    except (KnowledgeTreeError, ImproperlyConfigured) as error:
        side.add_error(None, str(error))
        return None
