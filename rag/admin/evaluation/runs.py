"""Measurements: their list, the page of each, and two compared."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rag.admin.base import ModelAdmin
from rag.admin.evaluation.comparison import comparison_view, report_view
from rag.admin.evaluation.filters import MeasuredFilter
from rag.admin.evaluation.measuring import measure_view, measurement_view
from rag.admin.evaluation.optimizing import (
    change_chunking_view,
    optimization_report_view,
    optimization_view,
    optimize_view,
    write_parts_view,
)
from rag.evaluation.everyday.page import everyday_page
from rag.evaluation.labels import MEASURES, STAGES, label
from rag.evaluation.run_results import main_measure, main_result, measured, weakest
from rag.models import EvaluationRun
from rag.selectors import visible_runs


@admin.register(EvaluationRun)
class EvaluationRunAdmin(ModelAdmin[EvaluationRun]):
    """Nobody writes a measurement by hand; who may, deletes one."""

    list_display = ["pk", "dataset", "kind", "preset", "result", "questions", "version", "created"]
    list_display_links = ["pk", "dataset"]
    list_filter = [MeasuredFilter, "kind", "preset"]
    list_per_page = 50
    search_fields = ["dataset", "preset", "version"]
    date_hierarchy = "created"
    fields = ["dataset", "kind", "preset", "options", "questions", "version", "created"]
    actions = ["compare"]
    change_list_template = "admin/rag/evaluationrun/change_list.html"
    list_before_template = "admin/rag/evaluationrun/hint.html"
    change_form_before_template = "admin/rag/evaluationrun/report.html"

    class Media:
        css = {"all": ["admin/knowledgetree/admin.css", "admin/knowledgetree/evaluation.css"]}

    def get_queryset(self, request: HttpRequest) -> QuerySet[EvaluationRun]:
        return visible_runs(request.user).order_by("-created", "-pk")

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        own = [
            path("compare/", wrap(comparison_view), name="rag_evaluationrun_compare"),
            path("<int:pk>/report/", wrap(report_view), name="rag_evaluationrun_report"),
            path("measure/", wrap(measure_view), name="rag_evaluationrun_measure"),
            path("measurement/<int:pk>/", wrap(measurement_view), name="rag_evaluationrun_measurement"),
            path("optimize/", wrap(optimize_view), name="rag_evaluationrun_optimize"),
            path("optimization/<int:pk>/", wrap(optimization_view), name="rag_evaluationrun_optimization"),
            path(
                "optimization/<int:pk>/report/",
                wrap(optimization_report_view),
                name="rag_evaluationrun_optimization_report",
            ),
            path("optimization/<int:pk>/write/", wrap(write_parts_view), name="rag_evaluationrun_write_parts"),
            path("optimization/<int:pk>/split/", wrap(change_chunking_view), name="rag_evaluationrun_change_chunking"),
        ]
        return [*own, *super().get_urls()]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        run: EvaluationRun = context["original"]
        others = visible_runs(request.user).filter(dataset=run.dataset, kind=run.kind).exclude(pk=run.pk)
        earlier = others.filter(pk__lt=run.pk).order_by("-pk").first()
        context |= {
            "run": run,
            "measured": measured(run),
            "latency": [(label(STAGES, stage), times) for stage, times in run.latency.items()],
            "weakest": weakest(run),
            "everyday": everyday_page(run, earlier),
            "main_measure": label(MEASURES, main_measure(run.metrics)),
            "other_runs": others[:20],
        }
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.action(description=_("Compare the two"), permissions=["view"])
    def compare(self, request: HttpRequest, queryset: QuerySet[EvaluationRun]) -> HttpResponse | None:
        keys = list(queryset.order_by("pk").values_list("pk", flat=True)[:3])
        if len(keys) != 2:
            self.message_user(request, gettext("Choose two runs."), messages.WARNING)
            return None
        address = reverse("admin:rag_evaluationrun_compare")
        return redirect(f"{address}?before={keys[0]}&after={keys[1]}")

    @admin.display(description=_("main measure"))
    def result(self, run: EvaluationRun) -> str:
        return main_result(run.metrics)
