"""A question of an evaluation set and the judgements of its documents, as their editor writes them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget

from rag.models import EvaluationDataset, EvaluationQuestion
from rag.selectors import markable_datasets
from rag.services.judging import is_accepted, refusal


class EvaluationQuestionForm(forms.ModelForm):  # type: ignore[type-arg]
    """The set has a name of its own here: unfold takes a posted "dataset" for one of its own tables."""

    request: HttpRequest

    in_set = forms.ModelChoiceField(
        EvaluationDataset.objects.none(),
        label=_("evaluation dataset"),
        empty_label=None,
        widget=UnfoldAdminSelectWidget,
    )

    class Meta:
        model = EvaluationQuestion
        fields = ["text", "external_id", "kind", "answerable", "expected_answer", "expected_answer_contains"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["in_set"].queryset = markable_datasets(self.request.user)  # type: ignore[attr-defined]
        self.initial.setdefault("in_set", self.instance.dataset_id or self.initial.get("dataset"))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if dataset := cleaned.get("in_set"):
            self.instance.dataset = dataset
            same = dataset.questions.filter(external_id=cleaned.get("external_id", "")).exclude(pk=self.instance.pk)
            if same.exists():
                self.add_error("external_id", gettext("Another question of the set has this identifier."))
        return cleaned


class JudgementForm(forms.ModelForm):  # type: ignore[type-arg]
    """A document that is named must be one that the editor may read and the set takes."""

    request: HttpRequest

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        question = self.instance.question if self.instance.question_id else cleaned.get("question")
        if question is None or "document" not in self.changed_data or not cleaned.get("document"):
            return cleaned
        if not is_accepted(question.dataset, cleaned["document"], self.request.user):
            said = gettext("There is no such document: write its address as in the list of documents.")
            raise ValidationError({"document": f"{said} {refusal(question.dataset)}"})
        return cleaned
