"""From a knowledge gap to a question of an evaluation set, which then shows whether it is answered one day."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget, UnfoldBooleanWidget

from knowledgetree.errors import KnowledgeTreeError
from rag.admin.gaps.gaps import check_view
from rag.insight.analytics.inbox import as_shown, covered, gaps_for
from rag.models import EvaluationDataset
from rag.selectors import markable_datasets
from rag.services.gaps import add_gap_case
from rag.services.search import MAX_LENGTH


class CaseForm(forms.Form):
    dataset = forms.ModelChoiceField(EvaluationDataset.objects.none(), empty_label=None, widget=UnfoldAdminSelectWidget)
    question = forms.CharField(
        label=gettext_lazy("question"),
        max_length=MAX_LENGTH,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text=gettext_lazy("Leave out what only the person who asked should know."),
    )
    answerable = forms.BooleanField(
        label=gettext_lazy("answered by the sources"),
        required=False,
        widget=UnfoldBooleanWidget,
        help_text=gettext_lazy("Off: the right answer is that it is not in the sources."),
    )
    expected_answer = forms.CharField(
        label=gettext_lazy("expected answer"), required=False, widget=UnfoldAdminTextareaWidget(attrs={"rows": 3})
    )
    words = forms.CharField(
        label=gettext_lazy("words the answer must contain"),
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text=gettext_lazy("One a line."),
    )

    def __init__(self, *args: Any, datasets: QuerySet[EvaluationDataset], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["dataset"].queryset = datasets  # type: ignore[attr-defined]
        self.fields["dataset"].label = EvaluationDataset._meta.verbose_name
        for field in self.fields.values():
            field.label = capfirst(str(field.label))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not cleaned.get("answerable") and (cleaned.get("expected_answer") or cleaned.get("words")):
            self.add_error("answerable", _("A question without an answer in the sources has no expected words."))
        return cleaned


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def case_view(request: HttpRequest, pk: int) -> HttpResponse:
    """The question with its personal data covered, because others read the set; whoever adds it may reword it."""
    check_view(request)
    gap = gaps_for(request.user).filter(pk=pk).first()
    datasets = case_datasets(request)
    if gap is None or not datasets.exists():
        raise Http404
    shown = as_shown([gap], request.user)[0]
    first = {"question": covered(shown).name[:MAX_LENGTH], "answerable": True}
    form = CaseForm(request.POST or None, initial=first, datasets=datasets)
    if form.is_valid() and _add_case(request, form):
        return redirect("admin:rag_knowledgegap_change", pk)
    context = {**admin.site.each_context(request), "title": _("Make an evaluation case"), "form": form, "shown": shown}
    return TemplateResponse(request, "admin/gaps/case.html", context)


def case_datasets(request: HttpRequest) -> QuerySet[EvaluationDataset]:
    """The sets that the user may add questions to."""
    return markable_datasets(request.user)


def _add_case(request: HttpRequest, form: CaseForm) -> bool:
    values = form.cleaned_data
    try:
        add_gap_case(
            dataset=values["dataset"],
            text=values["question"],
            answerable=values["answerable"],
            expected_answer=values["expected_answer"],
            words=values["words"].splitlines(),
        )
    except KnowledgeTreeError as error:
        form.add_error(None, str(error))
        return False
    messages.success(request, _("The question is in the set “%(name)s”.") % {"name": values["dataset"]})
    return True
