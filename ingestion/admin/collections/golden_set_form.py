"""What is asked wherever an evaluation dataset may stop a change: which one, and how much worse it may get."""

from collections.abc import Iterable

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminDecimalFieldWidget, UnfoldAdminSelectWidget

from ingestion.admin.labelled_form import LabelledForm


class GoldenSetForm(LabelledForm):
    gate = forms.ChoiceField(label=_("golden set"), required=False, widget=UnfoldAdminSelectWidget)
    margin = forms.FloatField(
        label=_("tolerated loss of nDCG@10"), initial=0.01, min_value=0, max_value=1,
        widget=UnfoldAdminDecimalFieldWidget,
    )  # fmt: skip

    def offer(self, names: Iterable[str], *, default: str) -> None:
        """The sets to choose from, or none; `default` is chosen already, where it is among them."""
        self.fields["gate"].choices = [("", "–"), *((name, name) for name in names)]  # type: ignore[attr-defined]
        self.initial.setdefault("gate", default)
