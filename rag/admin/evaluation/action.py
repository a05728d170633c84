"""Questions that people asked, put into an evaluation set by those who may read them."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget, UnfoldBooleanWidget

from ingestion.models import Document
from knowledgetree.errors import KnowledgeTreeError
from rag.admin.base import ModelAdmin
from rag.models import EvaluationDataset, Exchange
from rag.selectors import for_everyone, markable_datasets
from rag.services.judging import PARTLY, accepted_collections, add_case, create_dataset

_REFUSED = "not_found"


class SetForm(forms.Form):
    dataset = forms.ModelChoiceField(
        EvaluationDataset.objects.none(), required=False, empty_label=_("a new one"), widget=UnfoldAdminSelectWidget
    )
    name = forms.CharField(
        label=_("name of the new set"), max_length=100, required=False, widget=UnfoldAdminTextInputWidget
    )
    cited = forms.BooleanField(
        label=_("documents that the answer cites count as partly relevant"),
        required=False,
        widget=UnfoldBooleanWidget,
        help_text=_("Check them later: an answer may cite the wrong document."),
    )

    def __init__(self, *args: Any, datasets: QuerySet[EvaluationDataset]) -> None:
        super().__init__(*args)
        self.fields["dataset"].queryset = datasets  # type: ignore[attr-defined]
        self.fields["dataset"].label = capfirst(EvaluationDataset._meta.verbose_name)
        for field in self.fields.values():
            field.label = capfirst(field.label)


@admin.action(description=_("Add to an evaluation set…"), permissions=["view"])
def add_to_set(
    model_admin: ModelAdmin[Exchange], request: HttpRequest, queryset: QuerySet[Exchange]
) -> HttpResponse | None:
    """The first time the page that asks for the set; with its answer the deed. Personal data are covered."""
    exchanges = list(queryset.order_by("created"))
    given = request.POST if "confirmed" in request.POST else None
    form = SetForm(given, datasets=markable_datasets(request.user))
    if form.is_valid() and (dataset := _choose_or_create(form)):
        before = dataset.questions.count()
        for exchange in exchanges:
            _add(exchange, dataset, cited=form.cleaned_data["cited"])
        added = dataset.questions.count() - before
        said = ngettext("%(n)d question added to “%(name)s”.", "%(n)d questions added to “%(name)s”.", added)
        model_admin.message_user(request, said % {"n": added, "name": dataset}, messages.SUCCESS)
        return None
    context = {
        **model_admin.admin_site.each_context(request),
        "title": gettext("Add to an evaluation set"),
        "questions": [(exchange.pk, for_everyone(exchange.question)) for exchange in exchanges],
        "checkbox": ACTION_CHECKBOX_NAME,
        "form": form,
    }
    return TemplateResponse(request, "admin/rag/add_to_set.html", context)


def _choose_or_create(form: SetForm) -> EvaluationDataset | None:
    """None where a new set is wanted and its name will not do; the form then says why."""
    chosen: EvaluationDataset | None = form.cleaned_data["dataset"]
    if chosen:
        return chosen
    try:
        return create_dataset(name=form.cleaned_data["name"])
    except KnowledgeTreeError as error:
        form.add_error("name", str(error))
        return None


def _add(exchange: Exchange, dataset: EvaluationDataset, *, cited: bool) -> None:
    grades = {}
    if cited and exchange.outcome != _REFUSED:
        documents = Document.objects.filter(
            pk__in=exchange.citations.values("document_id"), collection__in=accepted_collections(dataset)
        )
        grades = dict.fromkeys(documents.values_list("uri", flat=True), PARTLY)
    answerable = exchange.outcome != _REFUSED
    add_case(dataset=dataset, text=for_everyone(exchange.question), answerable=answerable, grades=grades)
