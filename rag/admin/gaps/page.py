"""A knowledge gap: what was asked, what the search finds for it today, what is to be done."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget

from ingestion.models import Document
from ingestion.models.viewers import Viewer, is_superuser
from ingestion.selectors import readable_document, readable_documents
from knowledgetree.errors import KnowledgeTreeError
from rag.admin.gaps.case import case_datasets
from rag.admin.gaps.gaps import check_change, check_view, may_change
from rag.insight.analytics.inbox import InboxGap, as_shown, gaps_for, questions_of, reports_of
from rag.models import KnowledgeGap
from rag.selectors.documents import ShownDocument, shown_documents
from rag.services.ask import answer_question
from rag.services.gaps import GapChange, change_gap
from rag.services.search import MAX_LENGTH, search_passages
from rag.types import Answer, Passage

_SHOWN = 30  # wordings
_IN_LINK = 50  # questions that a link opens; an address has its limits
_NEAREST = 5  # documents
_SEARCHED = 20  # passages that these come from


class GapForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = KnowledgeGap
        fields = ["status", "assignee", "task", "note"]
        widgets = {
            "status": UnfoldAdminSelectWidget,
            "assignee": UnfoldAdminSelectWidget,
            "task": UnfoldAdminTextareaWidget(attrs={"rows": 3}),
            "note": UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        staff = User.objects.filter(is_staff=True, is_active=True)
        self.fields["assignee"].queryset = staff.order_by("username")  # type: ignore[attr-defined]
        self.fields["assignee"].empty_label = _("nobody")  # type: ignore[attr-defined]

    def _post_clean(self) -> None:
        """The service changes the gap, not the form."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def gap_view(request: HttpRequest, pk: int) -> HttpResponse:
    check_view(request)
    shown = gap_called(pk, request.user)
    if request.method != "POST":
        return _page(request, shown)
    check_change(request)
    form = GapForm(request.POST, instance=shown.gap)
    if not form.is_valid() or not _change(request, shown.gap, form):
        return _page(request, shown, form=form)
    return redirect("admin:rag_knowledgegap_change", pk)


@require_POST
@never_cache
def ask_again_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Asks the question of the gap for whoever looks; nothing of it is kept."""
    check_view(request)
    shown = gap_called(pk, request.user)
    answer = None
    try:
        answer = answer_question(
            _question(shown), viewer=request.user, language=get_language() or "pl", save=False, cached=False
        )
    except KnowledgeTreeError as error:
        messages.error(request, str(error))
    return _page(request, shown, answer=answer)


@require_POST
def answered_view(request: HttpRequest, pk: int) -> HttpResponse:
    """`document`: the number of the one that answers it, where the editor names one that they may read."""
    check_change(request)
    shown = gap_called(pk, request.user)
    change = GapChange(status=KnowledgeGap.Status.ANSWERED)
    if request.POST.get("document"):
        change["answered_by"] = _document(request)
    changed = change_gap(gap=shown.gap, change=change)
    _log(request, shown.gap, changed)
    messages.success(request, _("The gap is marked as answered. If it is asked in vain again, it comes back."))
    return redirect("admin:rag_knowledgegap_changelist")


def _document(request: HttpRequest) -> Document:
    try:
        return readable_document(request.user, int(request.POST["document"]))
    except (ValueError, Document.DoesNotExist) as error:
        raise Http404 from error


def gap_called(pk: int, viewer: Viewer) -> InboxGap:
    """Raises Http404 alike for a gap that is not there and one whose questions are not for this viewer."""
    gap = gaps_for(viewer).filter(pk=pk).first()
    if gap is None:
        raise Http404
    return as_shown([gap], viewer)[0]


def _question(shown: InboxGap) -> str:
    """As it was asked; what is covered could not be searched for."""
    return str(shown.gap.name)  # type: ignore[attr-defined]


def _change(request: HttpRequest, gap: KnowledgeGap, form: GapForm) -> bool:
    values = form.cleaned_data
    change = GapChange(status=values["status"], assignee=values["assignee"], task=values["task"], note=values["note"])
    try:
        changed = change_gap(gap=gap, change=change)
    except KnowledgeTreeError as error:
        form.add_error("note", error.message)
        return False
    _log(request, gap, changed)
    messages.success(request, _("The gap was saved."))
    return True


def _log(request: HttpRequest, gap: KnowledgeGap, changed: Sequence[str]) -> None:
    if changed:
        said: Any = [{"changed": {"fields": list(changed)}}]
        LogEntry.objects.log_actions(str(request.user.pk), [gap], CHANGE, said, single_object=True)


def _page(
    request: HttpRequest, shown: InboxGap, *, form: GapForm | None = None, answer: Answer | None = None
) -> HttpResponse:
    questions = questions_of(shown.gap, request.user)
    words = " ".join(request.GET.get("q", "").replace("\x00", "").split())[:MAX_LENGTH]
    nearest, failure = _nearest(words or _question(shown), request.user)
    context = {
        **admin.site.each_context(request),
        "title": _("Knowledge gap"),
        "shown": shown,
        "gap": shown.gap,
        "form": form or (GapForm(instance=shown.gap) if may_change(request) else None),
        "questions": questions[:_SHOWN],
        "more": max(0, len(questions) - _SHOWN),
        "all_questions": _address([key for one in questions for key in one.exchanges], request),
        "reports": reports_of(shown.gap, request.user)[:_SHOWN],
        "words": words,
        "answered_by": _answered_by(shown.gap, request.user),
        "nearest": nearest,
        "failure": failure,
        "answer": answer,
        "may_make_case": case_datasets(request).exists(),
    }
    return TemplateResponse(request, "admin/gaps/gap.html", context)


def _answered_by(gap: KnowledgeGap, viewer: Viewer) -> ShownDocument | None:
    documents = readable_documents(viewer).filter(pk=gap.answered_by_id or 0)
    return next(iter(shown_documents(viewer, documents)), None)


def _nearest(question: str, viewer: Viewer) -> tuple[list[Passage], str]:
    """The best passage of each of the first documents that `viewer` finds today; why there are none."""
    try:
        passages = search_passages(query=question, viewer=viewer, top_k=_SEARCHED, logged=False).passages
    except KnowledgeTreeError as error:
        return [], str(error)
    best: dict[int, Passage] = {}
    for passage in passages:
        best.setdefault(passage.document_id, passage)
    return list(best.values())[:_NEAREST], ""


def _address(exchanges: Sequence[UUID], request: HttpRequest) -> str:
    """Of these questions with their answers; empty for those who may not open them."""
    keys = ",".join(map(str, exchanges[:_IN_LINK]))
    return f"{reverse('admin:rag_exchange_changelist')}?id__in={keys}" if is_superuser(request.user) else ""
