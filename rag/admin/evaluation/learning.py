"""What relevance learnt from marks and thumbs, when, or why not."""

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from rag.admin.base import ModelAdmin
from rag.evaluation.calibration.learning import standing
from rag.models import CalibrationAttempt


@admin.register(CalibrationAttempt)
class CalibrationAttemptAdmin(ModelAdmin[CalibrationAttempt]):
    """The worker writes it at night; nobody changes it."""

    list_display = ["created", "outcome", "marks", "questions", "error", "telling_apart"]
    list_before_template = "admin/rag/calibrationattempt/standing.html"
    list_per_page = 50
    fields = ["created", "outcome", "marks", "questions", "error", "telling_apart", "space", "reranker"]
    readonly_fields = ["error", "telling_apart", "created"]

    class Media:
        css = {"all": ["admin/knowledgetree/admin.css"]}

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, {**(extra_context or {}), "standing": standing()})

    @admin.display(description=_("calibration error"))
    def error(self, attempt: CalibrationAttempt) -> str:
        return _from_to(attempt.before, attempt.after, "ece")

    @admin.display(description=_("area under the curve"))
    def telling_apart(self, attempt: CalibrationAttempt) -> str:
        return _from_to(attempt.before, attempt.after, "auc")


def _from_to(before: Mapping[str, float], after: Mapping[str, float], name: str) -> str:
    if name not in before or name not in after:
        return "–"
    return f"{number_format(before[name], 3)} → {number_format(after[name], 3)}"
