"""A question to an assistant beside its form, with what stands in the form by now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import nh3
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, path
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_POST
from markdown_it import MarkdownIt

from knowledgetree.errors import KnowledgeTreeError
from rag.models import Assistant
from rag.services.assistant_trial import try_assistant

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin

    Base = ModelAdmin[Assistant]
else:
    Base = object

_TAGS = {"p", "ul", "ol", "li", "strong", "em", "table", "thead", "tbody", "tr", "th", "td", "br"}


class AssistantTrial(Base):
    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(require_POST(self.trial_view))
        return [path("trial/", view, name="rag_assistant_trial"), *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        original: Assistant | None = context["original"]
        context["may_try"] = self._may_try(request, original)
        return super().render_change_form(request, context, *args, **kwargs)

    def trial_view(self, request: HttpRequest) -> HttpResponse:
        """The answer of the saved assistant; with the fields of its form (`whole`), of the one that they describe.

        Asked with the rights of whoever asks; nothing is kept.
        """
        number = request.POST.get("assistant", "")
        saved = get_object_or_404(self.get_queryset(request), pk=int(number)) if number.isdigit() else None
        if not self._may_try(request, saved):
            raise PermissionDenied
        context: dict[str, Any] = {**self.admin_site.each_context(request), "assistant": saved}
        context["question"] = question = request.POST.get("question", "")
        if "whole" in request.POST or saved is None:
            form = self.get_form(request, saved, change=saved is not None)(request.POST, instance=saved)
            if not form.is_valid():
                context["problems"] = [f"{form[name].label}: {said}" if name in form.fields else said
                                       for name, errors in form.errors.items() for said in errors]  # fmt: skip
                return render(request, _page(request), context)
            assistant, collections = form.instance, list(form.cleaned_data["collections"])
        else:
            assistant, collections = saved, list(saved.collections.all())
        try:
            answer = try_assistant(assistant=assistant, collections=collections, question=question, viewer=request.user)
        except KnowledgeTreeError as error:
            context["problems"] = [str(error)]
        else:
            context |= {"answer": answer, "html": _html(answer.text)}
        return render(request, _page(request), context)

    def _may_try(self, request: HttpRequest, assistant: Assistant | None) -> bool:
        return self.has_change_permission(request, assistant) if assistant else self.has_add_permission(request)


def _page(request: HttpRequest) -> str:
    return f"admin/rag/assistant/{'trial_answer' if 'fragment' in request.POST else 'trial_page'}.html"


def _html(text: str) -> SafeString:
    rendered = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return mark_safe(nh3.clean(rendered, tags=_TAGS, attributes={}))
