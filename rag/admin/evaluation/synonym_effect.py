"""The page that says whether a synonym group helps: its effect on a stored question set."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods
from unfold.widgets import UnfoldAdminSelectWidget

from ingestion.models import SynonymGroup
from knowledgetree.errors import KnowledgeTreeError
from rag.evaluation.synonym_effect import MOST_QUESTIONS, SynonymEffect, measure_effect
from rag.models import EvaluationDataset
from rag.selectors import measurable_datasets


class DatasetForm(forms.Form):
    dataset = forms.ModelChoiceField(EvaluationDataset.objects.none(), empty_label=None, widget=UnfoldAdminSelectWidget)

    def __init__(self, *args: Any, datasets: QuerySet[EvaluationDataset], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["dataset"].queryset = datasets  # type: ignore[attr-defined]
        self.fields["dataset"].label = capfirst(EvaluationDataset._meta.verbose_name)


@require_http_methods(["GET", "HEAD", "POST"])
def effect_view(request: HttpRequest, pk: int) -> HttpResponse:
    """The choice of a set; once sent, also the measures without the group and with it."""
    group_admin = admin.site.get_model_admin(SynonymGroup)
    if not group_admin.has_change_permission(request):
        raise PermissionDenied
    group = get_object_or_404(group_admin.get_queryset(request), pk=pk)
    datasets = measurable_datasets(request.user, collection=group.collection)
    form = DatasetForm(request.POST if request.method == "POST" else None, datasets=datasets)
    context = {
        **admin.site.each_context(request),
        "title": gettext("Effect on an evaluation set"),
        "group": group,
        "form": form,
        "available": datasets.exists(),
        "effect": _effect(group, form) if form.is_valid() else None,
        "most_questions": MOST_QUESTIONS,
    }
    return TemplateResponse(request, "admin/rag/synonym_effect.html", context)


def _effect(group: SynonymGroup, form: DatasetForm) -> SynonymEffect | None:
    """None where search cannot run; the form then says why."""
    dataset: EvaluationDataset = form.cleaned_data["dataset"]
    assert dataset.collection is not None  # noqa: S101  (the choices have one)
    try:
        return measure_effect(group, dataset, dataset.collection)
    except KnowledgeTreeError as error:
        form.add_error(None, str(error))
        return None
