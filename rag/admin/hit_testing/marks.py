"""One click on the hit-testing page: a mark, or a new set for the marks."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from ingestion.models import Collection, Document
from ingestion.selectors import readable_document, visible_collections
from knowledgetree.errors import KnowledgeTreeError
from rag.models import EvaluationDataset
from rag.selectors import markable_datasets, may_mark
from rag.services.judging import NOT_RELEVANT, PARTLY, create_dataset, mark

PAGE = "admin:rag_hit_testing_changelist"


class MarkForm(forms.Form):
    """`back` is the page's query, `at` the passage in it that was marked."""

    dataset = forms.ModelChoiceField(EvaluationDataset.objects.none())
    document = forms.IntegerField(min_value=1)
    question = forms.CharField()
    grade = forms.IntegerField(min_value=0)
    back = forms.CharField(required=False)
    at = forms.SlugField(required=False)

    def __init__(self, *args: Any, request: HttpRequest) -> None:
        super().__init__(*args)
        self.fields["dataset"].queryset = markable_datasets(request.user)  # type: ignore[attr-defined]


class NewSetForm(forms.Form):
    name = forms.CharField(max_length=100)
    collection = forms.ModelChoiceField(Collection.objects.none(), required=False)
    back = forms.CharField(required=False)

    def __init__(self, *args: Any, request: HttpRequest) -> None:
        super().__init__(*args)
        self.fields["collection"].queryset = visible_collections(request.user)  # type: ignore[attr-defined]


@require_POST
def mark_view(request: HttpRequest) -> HttpResponse:
    """JSON for scripts, else the page again. A document that the user may not read is not there."""
    if not may_mark(request.user):
        raise PermissionDenied
    form = MarkForm(request.POST, request=request)
    if not form.is_valid():
        return _answer(request, form, error=_("The mark was not saved: open the page again."))
    given = form.cleaned_data
    try:
        document = readable_document(request.user, given["document"])
    except Document.DoesNotExist as error:
        raise Http404 from error
    try:
        mark(dataset=given["dataset"], text=given["question"], document=document, grade=given["grade"])
    except KnowledgeTreeError as error:
        return _answer(request, form, error=str(error))
    return _answer(request, form)


@require_POST
def new_set_view(request: HttpRequest) -> HttpResponse:
    """Makes an empty set and chooses it on the page."""
    if not may_mark(request.user) or not request.user.has_perm("rag.add_evaluationdataset"):
        raise PermissionDenied
    form = NewSetForm(request.POST, request=request)
    back = QueryDict(request.POST.get("back", ""), mutable=True)
    if not form.is_valid():
        messages.error(request, _("A set needs a name of at most 100 characters."))
        return redirect(_page(back))
    try:
        made = create_dataset(name=form.cleaned_data["name"], collection=form.cleaned_data["collection"])
    except KnowledgeTreeError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("The set “%(name)s” is there.") % {"name": made})
        back["dataset"] = str(made.pk)
    return redirect(_page(back))


def _answer(request: HttpRequest, form: MarkForm, error: str = "") -> HttpResponse:
    grade = 0 if error else int(form.cleaned_data["grade"])
    said = error or _said(grade)
    if "application/json" in request.headers.get("Accept", ""):
        return JsonResponse({"grade": grade, "said": said}, status=400 if error else 200)
    messages.add_message(request, messages.ERROR if error else messages.SUCCESS, said)
    at = form.cleaned_data.get("at", "")
    return redirect(_page(QueryDict(form.cleaned_data.get("back", ""))) + (f"#{at}" if at else ""))


def _said(grade: int) -> str:
    if grade == NOT_RELEVANT:
        return _("Marked as not relevant: the set has no judgement of this document.")
    return _("Marked as partly relevant.") if grade == PARTLY else _("Marked as relevant.")


def _page(query: QueryDict) -> str:
    return f"{reverse(PAGE)}?{query.urlencode()}" if query else reverse(PAGE)
