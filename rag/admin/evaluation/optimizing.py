"""Having better parts of a preset searched for, watching it, and taking over what is proven."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget

from ingestion.models import Job
from knowledgetree.errors import KnowledgeTreeError
from rag.evaluation.labels import label
from rag.evaluation.optimization.job import LONGEST, change_chunking, start_optimization, write_parts
from rag.evaluation.optimization.labels import MEASURES
from rag.evaluation.optimization.objective import KNOWN
from rag.evaluation.optimization.page import optimization_page, report_values
from rag.models import Assistant, EvaluationDataset, Optimization
from rag.presets import default_name, known_names
from rag.selectors import may_measure, visible_datasets, visible_optimizations

_PRESET, _ASSISTANT = "preset:", "assistant:"
_SHOWN = 3
_UNFINISHED = (Job.Status.QUEUED, Job.Status.RUNNING)


class OptimizationForm(forms.Form):
    """What is searched for, and how long."""

    of = forms.ModelChoiceField(
        EvaluationDataset.objects.none(),
        label=gettext_lazy("evaluation dataset"),
        empty_label=None,
        widget=UnfoldAdminSelectWidget,
    )
    tries = forms.ChoiceField(label=gettext_lazy("what is tried"), widget=UnfoldAdminSelectWidget)
    measure = forms.ChoiceField(label=gettext_lazy("what is to be higher"), widget=UnfoldAdminSelectWidget)
    subject = forms.ChoiceField(label=gettext_lazy("what is to be bettered"), widget=UnfoldAdminSelectWidget)
    minutes = forms.IntegerField(
        label=gettext_lazy("minutes of search"),
        min_value=1,
        max_value=LONGEST // 60,
        initial=10,
        widget=UnfoldAdminIntegerFieldWidget,
    )

    def __init__(self, data: Any, *, request: HttpRequest) -> None:
        super().__init__(data, initial={"subject": f"{_PRESET}{default_name()}", "of": request.GET.get("dataset")})
        self.fields["of"].queryset = visible_datasets(request.user)  # type: ignore[attr-defined]
        ways = Optimization.Tries.choices if may_split(request) else Optimization.Tries.choices[:1]
        self.fields["tries"].choices = ways  # type: ignore[attr-defined]
        self.fields["measure"].choices = [(name, label(MEASURES, name)) for name in KNOWN]  # type: ignore[attr-defined]
        assistants = Assistant.objects.all() if may_write(request) else Assistant.objects.none()
        self.fields["subject"].choices = [  # type: ignore[attr-defined]
            *((f"{_PRESET}{name}", _("preset %(name)s") % {"name": name}) for name in known_names()),
            *((f"{_ASSISTANT}{one.pk}", _("assistant %(name)s") % {"name": one}) for one in assistants),
        ]
        for field in self.fields.values():
            field.label = capfirst(field.label)

    def wanted(self) -> Optimization:
        """Not stored yet."""
        given = self.cleaned_data
        found = Optimization(
            dataset=given["of"], tries=given["tries"], measure=given["measure"], seconds=60 * given["minutes"]
        )
        kind, _colon, name = given["subject"].partition(":")
        if f"{kind}:" == _PRESET:
            found.preset = name
        else:
            found.assistant = assistant = Assistant.objects.get(pk=name)
            found.preset, found.parts = assistant.preset_name, assistant.parts
        return found


def recent_optimizations(dataset: EvaluationDataset, request: HttpRequest) -> list[Optimization]:
    """The last few searches on `dataset`."""
    return list(visible_optimizations(request.user).filter(dataset=dataset)[:_SHOWN])


def may_write(request: HttpRequest) -> bool:
    return request.user.has_perm("rag.change_assistant")


def may_split(request: HttpRequest) -> bool:
    """Whether how documents are split is theirs to change, or to try."""
    return request.user.has_perm("ingestion.change_rechunking")


@require_http_methods(["GET", "HEAD", "POST"])
def optimize_view(request: HttpRequest) -> HttpResponse:
    """The form; with its answer the search begins, and its page opens."""
    if not may_measure(request.user):
        raise PermissionDenied
    form = OptimizationForm(request.POST or None, request=request)
    if form.is_valid() and (begun := _begin(form, request)):
        return redirect("admin:rag_evaluationrun_optimization", begun.pk)
    context = {**admin.site.each_context(request), "title": _("Search for better settings"), "form": form}
    return TemplateResponse(request, "admin/rag/evaluationrun/optimize.html", context)


@require_safe
def optimization_view(request: HttpRequest, pk: int) -> HttpResponse:
    """How far it is; then what was found."""
    optimization = get_object_or_404(visible_optimizations(request.user), pk=pk)
    job = optimization.job
    context = {
        **admin.site.each_context(request),
        **report_values(optimization),
        "title": _("Search for better settings: %(name)s") % {"name": optimization.dataset},
        "job": job,
        "moving": job is not None and job.status in _UNFINISHED,
        "may_write": may_write(request),
        "may_split": may_split(request),
    }
    return TemplateResponse(request, "admin/rag/evaluationrun/optimization.html", context)


@require_safe
def optimization_report_view(request: HttpRequest, pk: int) -> HttpResponse:
    """The result as a file to be kept or printed."""
    optimization = get_object_or_404(visible_optimizations(request.user).exclude(result={}), pk=pk)
    name = f"optimization-{optimization.pk}.html"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(optimization_page(optimization), headers=headers)


@require_POST
def write_parts_view(request: HttpRequest, pk: int) -> HttpResponse:
    """The assistant gets what is proven."""
    optimization = get_object_or_404(visible_optimizations(request.user), pk=pk)
    if not may_write(request):
        raise PermissionDenied
    try:
        assistant = write_parts(optimization)
    except KnowledgeTreeError as error:
        messages.error(request, f"{error} {error.remedy}")
    else:
        messages.success(request, _("Written into the assistant “%(name)s”.") % {"name": assistant})
    return redirect("admin:rag_evaluationrun_optimization", pk)


@require_POST
def change_chunking_view(request: HttpRequest, pk: int) -> HttpResponse:
    """The documents are split as is proven to be better, while they serve; the page of the change opens."""
    optimization = get_object_or_404(visible_optimizations(request.user), pk=pk)
    if not may_split(request):
        raise PermissionDenied
    try:
        change = change_chunking(optimization)
    except KnowledgeTreeError as error:
        messages.error(request, f"{error} {error.remedy}")
        return redirect("admin:rag_evaluationrun_optimization", pk)
    messages.success(request, _("The documents are being split anew."))
    return redirect("admin:ingestion_rechunking_change", change)


def _begin(form: OptimizationForm, request: HttpRequest) -> Optimization | None:
    """None where it cannot be searched for; the form then says why."""
    try:
        return start_optimization(form.wanted(), user=request.user)  # type: ignore[arg-type]
    except KnowledgeTreeError as error:
        form.add_error(None, f"{error} {error.remedy}")
        return None
