"""The settings of a source as plain fields, checked before anything is kept."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.postgres.forms import SimpleArrayField
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from ingestion.models import Source
from ingestion.services.sources import is_settled, source_troubles
from ingestion.sources import FeedFields
from knowledgetree.conf import rag_settings

if TYPE_CHECKING:
    _Form = forms.ModelForm[Source]
else:
    _Form = forms.ModelForm

_MAX_PATTERN = 300
FEED_FIELDS = {f"feed_{name}": name for name in asdict(FeedFields())}


class LinesField(forms.CharField):
    """A list of texts, one a line."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}), **options)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(super().has_changed(self.prepare_value(initial), data))

    def clean(self, value: Any) -> list[str]:
        lines = [line.strip() for line in super().clean(value).splitlines() if line.strip()]
        if any(len(line) > _MAX_PATTERN for line in lines):
            raise forms.ValidationError(_("A pattern has at most %(n)d characters.") % {"n": _MAX_PATTERN})
        return lines


def _feed_field(label: Any, **options: Any) -> forms.CharField:
    return forms.CharField(label=label, required=False, max_length=100, widget=UnfoldAdminTextInputWidget(), **options)


class SourceForm(_Form):
    include = LinesField(
        label=gettext_lazy("take only"),
        help_text=gettext_lazy("Patterns of paths, one a line; * stands for anything: *.pdf, */law/*. Empty: all."),
    )
    exclude = LinesField(
        label=gettext_lazy("leave out"),
        help_text=gettext_lazy("Patterns too. A document that they leave out later counts as gone."),
    )
    tags = SimpleArrayField(
        forms.CharField(max_length=60), label=gettext_lazy("tags"), required=False,
        help_text=gettext_lazy("Separated by commas."), widget=UnfoldAdminTextInputWidget,
    )  # fmt: skip
    feed_key = forms.ChoiceField(
        label=gettext_lazy("key"), required=False, widget=UnfoldAdminSelectWidget(),
        help_text=gettext_lazy("Sent with each request to its own server alone. Administrators set keys (FEED_KEYS)."),
    )  # fmt: skip
    feed_items = _feed_field(
        gettext_lazy("where the list is"),
        help_text=gettext_lazy("Keys with dots, such as data.items. Empty: the whole reply is the list."),
    )
    feed_id = _feed_field(gettext_lazy("number of an entry"))
    feed_url = _feed_field(gettext_lazy("address of an entry"))
    feed_title = _feed_field(gettext_lazy("title of an entry"))
    feed_html = _feed_field(gettext_lazy("content as HTML"))
    feed_text = _feed_field(gettext_lazy("content as text"))
    feed_modified = _feed_field(gettext_lazy("time of the last change"))
    feed_next = _feed_field(gettext_lazy("address of the next page"))
    feed_complete = forms.BooleanField(
        label=gettext_lazy("the feed lists everything"), required=False, widget=UnfoldBooleanWidget(),
        help_text=gettext_lazy("What it does not list any more is gone; otherwise old entries stay."),
    )  # fmt: skip

    class Meta:
        model = Source
        fields = [
            "name", "collection", "kind", "location", "include", "exclude", "max_pages", "max_depth", "delay",
            "obey_robots", "category", "tags", "language", "gone_policy", "rhythm", "schedule",
        ]  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.label = capfirst(str(field.label))
        if rhythm := self.fields.get("rhythm"):  # who may only look gets no fields
            rhythm.choices = [("", _("by hand")), *Source.Rhythm.choices]  # type: ignore[attr-defined]
        options = self.instance.options
        paths = {**asdict(FeedFields()), **options.get("fields", {})}
        for name, path in FEED_FIELDS.items():
            self.initial.setdefault(name, paths[path])
        self.initial.setdefault("feed_complete", options.get("complete", False))
        self._offer_keys(options.get("key", ""))
        if "location" in self.fields and is_settled(self.instance):
            self._fix("collection", "kind", "location")

    def _offer_keys(self, chosen: str) -> None:
        """Those of the settings, and the chosen one, which may be there no more: cleaning says so."""
        keys = sorted({*rag_settings().ingestion.feed_keys, *([chosen] if chosen else [])})
        if field := self.fields.get("feed_key"):
            field.choices = [("", _("none")), *((key, key) for key in keys)]  # type: ignore[attr-defined]
        self.initial.setdefault("feed_key", chosen)

    def _fix(self, *names: str) -> None:
        """Documents hang on these: another place is another source."""
        for name in names:
            self.fields[name].disabled = True
        self.fields["location"].help_text = _("Documents came from here already. For another place add a new source.")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        kind = cleaned.get("kind", "")
        cleaned["location"] = (cleaned.get("location") or "").strip()
        troubles = source_troubles(
            kind=kind,
            location=cleaned["location"],
            rhythm=cleaned.get("rhythm", ""),
            schedule=cleaned.get("schedule", ""),
            key=cleaned.get("feed_key", ""),
            new_place="location" in self.changed_data,
        )
        for name, trouble in troubles.items():
            field = "feed_key" if name == "key" else name
            if field in cleaned:
                self.add_error(field, trouble)
        self.instance.options = self._options(cleaned) if kind == Source.Kind.FEED else {}
        return cleaned

    def _options(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        fields = {path: cleaned.get(field, "").strip() for field, path in FEED_FIELDS.items()}
        return {"fields": fields, "complete": cleaned.get("feed_complete", False), "key": cleaned.get("feed_key", "")}
