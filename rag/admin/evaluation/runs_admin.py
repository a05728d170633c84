"""Evaluation sets with their questions, by the permissions on the set; a question has none of its own."""

from __future__ import annotations

import shlex
from typing import Any, TypeVar

from django.contrib import admin
from django.db.models import Count, Field, QuerySet
from django.forms import ModelChoiceField
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ingestion.models import Collection
from ingestion.selectors import visible_collections
from rag.admin.base import BaseModelAdmin, ModelAdmin, ReaderFacingAdmin, TabularInline
from rag.admin.evaluation.files import export_view, import_view
from rag.admin.evaluation.filters import DatasetFilter
from rag.admin.evaluation.forms import EvaluationQuestionForm, JudgementForm
from rag.admin.evaluation.measuring import recent_measurements
from rag.admin.evaluation.optimizing import recent_optimizations
from rag.admin.evaluation.results import with_last_run
from rag.evaluation.run_results import main_result
from rag.models import EvaluationDataset, EvaluationQuestion, Judgement
from rag.selectors import hidden_judgements, may_mark, may_measure, may_view, visible_datasets

M = TypeVar("M", EvaluationQuestion, Judgement)


@admin.register(EvaluationDataset)
class EvaluationDatasetAdmin(ReaderFacingAdmin[EvaluationDataset]):
    list_display = ["name", "collection", "question_count", "last_result", "modified"]
    search_fields = ["name", "description"]
    fields = ["name", "description", "collection"]
    change_list_template = "admin/rag/evaluationdataset/change_list.html"
    change_form_before_template = "admin/rag/evaluationdataset/panel.html"

    class Media:
        css = {"all": ["admin/knowledgetree/admin.css"]}

    def get_queryset(self, request: HttpRequest) -> QuerySet[EvaluationDataset]:
        asked = visible_datasets(request.user).annotate(asked=Count("questions"))
        return with_last_run(asked, request.user).order_by("name")

    def formfield_for_foreignkey(
        self, db_field: Field[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> ModelChoiceField[Any] | None:
        if db_field.related_model is Collection:
            kwargs["queryset"] = visible_collections(request.user)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)  # type: ignore[arg-type]

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        own = [
            path("import/", wrap(import_view), name="rag_evaluationdataset_import"),
            path("<int:pk>/export/<str:ending>/", wrap(export_view), name="rag_evaluationdataset_export"),
        ]
        return [*own, *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        dataset = context.get("original")
        if dataset:
            context |= {
                "dataset": dataset,
                "command": _command(dataset),
                "may_measure": may_measure(request.user),
                "begun": recent_measurements(dataset, request.user),
                "searches": recent_optimizations(dataset, request),
            }
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description=_("questions"), ordering="asked")
    def question_count(self, dataset: EvaluationDataset) -> int:
        return int(getattr(dataset, "asked", 0))

    @admin.display(description=_("last measurement"))
    def last_result(self, dataset: EvaluationDataset) -> str | SafeString:
        key, metrics = getattr(dataset, "run_pk", None), getattr(dataset, "run_metrics", None)
        if key is None:
            return "–"
        address = reverse("admin:rag_evaluationrun_change", args=[key])
        return format_html('<a href="{}" class="text-link">{}</a>', address, main_result(metrics))


def _command(dataset: EvaluationDataset) -> str:
    """The line that measures the set."""
    return f"knowledgetree evaluate --dataset {shlex.quote(dataset.name)}"


class OfDataset(BaseModelAdmin[M]):
    """Who may change the set may change what is in it."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return may_view(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may_view(request.user)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may_mark(request.user)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may_mark(request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may_mark(request.user)


class JudgementInline(OfDataset[Judgement], TabularInline[Judgement, EvaluationQuestion]):
    model = Judgement
    form = JudgementForm
    fields = ["document", "grade"]
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[Judgement]:
        judgements = super().get_queryset(request)
        return judgements.exclude(pk__in=hidden_judgements(request.user).values("pk"))

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        form = type("JudgementForm", (JudgementForm,), {"request": request})
        return super().get_formset(request, obj, **{**kwargs, "form": form})


@admin.register(EvaluationQuestion)
class EvaluationQuestionAdmin(OfDataset[EvaluationQuestion], ModelAdmin[EvaluationQuestion]):
    list_display = ["text", "dataset", "kind", "answerable", "judged"]
    list_filter = [DatasetFilter, "answerable"]
    list_select_related = ["dataset"]
    search_fields = ["text", "external_id", "expected_answer"]
    list_per_page = 50
    inlines = [JudgementInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[EvaluationQuestion]:
        rows = super().get_queryset(request).filter(dataset__in=visible_datasets(request.user))
        return rows.annotate(judgement_count=Count("judgements"))

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        own = ["text", "external_id", "kind", "answerable", "expected_answer", "expected_answer_contains"]
        return ["in_set" if may_mark(request.user) else "dataset", *own]

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = type("EvaluationQuestionForm", (EvaluationQuestionForm,), {"request": request})
        return super().get_form(request, obj, change, **{**kwargs, "form": form})

    @admin.display(description=_("documents that answer"), ordering="judgement_count")
    def judged(self, question: EvaluationQuestion) -> int:
        return int(getattr(question, "judgement_count", 0))
