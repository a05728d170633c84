"""Having a set measured from its page, and watching how far it is."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminRadioSelectWidget, UnfoldAdminSelectWidget

from ingestion.models import Job
from knowledgetree.errors import KnowledgeTreeError
from rag.evaluation.measuring import start_measurement
from rag.models import EvaluationDataset, EvaluationRun, Measurement
from rag.presets import default_name, known_names
from rag.selectors import may_measure, visible_datasets, visible_measurements, visible_runs

MOST_QUESTIONS = 10_000
_SHOWN = 3
_UNFINISHED = (Job.Status.QUEUED, Job.Status.RUNNING)


class MeasurementForm(forms.Form):
    """What is measured, and how."""

    of = forms.ModelChoiceField(
        EvaluationDataset.objects.none(),
        label=gettext_lazy("evaluation dataset"),
        empty_label=None,
        widget=UnfoldAdminSelectWidget,
    )
    kind = forms.ChoiceField(
        label=gettext_lazy("what is measured"),
        choices=[
            ("answers", gettext_lazy("whole answers")),
            ("retrieval", gettext_lazy("retrieval alone")),
        ],
        widget=UnfoldAdminRadioSelectWidget,
        help_text=gettext_lazy(
            "Retrieval alone tells which documents are found, and is fast; whole answers also what is written and how "
            "far the sources bear it out."
        ),
    )
    preset = forms.ChoiceField(label=gettext_lazy("preset"), required=False, widget=UnfoldAdminSelectWidget)
    limit = forms.IntegerField(
        label=gettext_lazy("limit of questions"),
        min_value=1,
        max_value=MOST_QUESTIONS,
        required=False,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text=gettext_lazy("Empty: all. Otherwise so many are drawn, each time the same ones."),
    )

    def __init__(self, data: Any, *, request: HttpRequest) -> None:
        datasets = visible_datasets(request.user)
        first = datasets.filter(pk=_number(request.GET.get("dataset", ""))).first()
        kind = "retrieval" if first and first.collection_id else "answers"
        super().__init__(data, initial={"of": first, "kind": kind})
        self.fields["of"].queryset = datasets  # type: ignore[attr-defined]
        default = _("the default (%(name)s)") % {"name": default_name()}
        self.fields["preset"].choices = [("", default), *((name, name) for name in known_names())]  # type: ignore[attr-defined]
        for field in self.fields.values():
            field.label = capfirst(field.label)


def recent_measurements(dataset: EvaluationDataset, user: User | AnonymousUser) -> list[Measurement]:
    """The last few measurements of `dataset` that have not become a run (yet)."""
    return list(visible_measurements(user).filter(dataset=dataset, run=None)[:_SHOWN])


@require_http_methods(["GET", "HEAD", "POST"])
def measure_view(request: HttpRequest) -> HttpResponse:
    """The form; with its answer the measurement begins, and its page opens."""
    if not may_measure(request.user):
        raise PermissionDenied
    form = MeasurementForm(request.POST or None, request=request)
    if form.is_valid() and (begun := _begin(form, request)):
        return redirect("admin:rag_evaluationrun_measurement", begun.pk)
    context = {**admin.site.each_context(request), "title": _("Measure"), "form": form}
    return TemplateResponse(request, "admin/rag/evaluationrun/measure.html", context)


@require_safe
def measurement_view(request: HttpRequest, pk: int) -> HttpResponse:
    """How far it is; its run and what it may be compared with, once it is there."""
    measurement = get_object_or_404(visible_measurements(request.user), pk=pk)
    runs = visible_runs(request.user)
    run = runs.filter(pk=measurement.run_id).first() if measurement.run_id else None
    context = {
        **admin.site.each_context(request),
        "title": _("Measurement: %(name)s") % {"name": measurement.dataset},
        "measurement": measurement,
        "job": measurement.job,
        "moving": measurement.job.status in _UNFINISHED,
        "run": run,
        "earlier": _earlier(runs, run) if run else None,
    }
    return TemplateResponse(request, "admin/rag/evaluationrun/measurement.html", context)


def _begin(form: MeasurementForm, request: HttpRequest) -> Measurement | None:
    """None where the set cannot be measured; the form then says why."""
    given = form.cleaned_data
    try:
        return start_measurement(
            dataset=given["of"],
            kind=given["kind"],
            preset=given["preset"],
            limit=given["limit"] or 0,
            user=request.user,  # type: ignore[arg-type]
        )
    except KnowledgeTreeError as error:
        form.add_error(None, str(error))
        return None


def _earlier(runs: QuerySet[EvaluationRun], run: EvaluationRun) -> EvaluationRun | None:
    return runs.filter(dataset=run.dataset, kind=run.kind, pk__lt=run.pk).order_by("-pk").first()


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0
