"""The fields of a document that an editor may set: each says whether one did, and gives the document's own back."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ingestion.models import Document
from ingestion.models.descriptions import FIELDS, READ, own_value

if TYPE_CHECKING:
    Form = forms.ModelForm[Document]
else:
    Form = forms.ModelForm


class DocumentForm(Form):
    """An editor writes of the metadata what the file does not: what it says of itself stands beside and stays."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "metadata" in self.fields:
            own = {key: value for key, value in self.instance.metadata.items() if key != READ}
            self.initial["metadata"] = own
        for name in FIELDS:
            if name in self.fields:
                self.fields[name].help_text = _set_by_editor(self.instance, name)

    def clean_metadata(self) -> dict[str, Any]:
        metadata = self.cleaned_data["metadata"] or {}
        if not isinstance(metadata, dict):
            raise ValidationError(_('Write keys with values in braces, such as {"number": 12}.'))
        if READ in metadata:
            raise ValidationError(_("“extracted” is what the file says of itself; choose another key."))
        return metadata


def _set_by_editor(document: Document, name: str) -> str:
    """What stands below a field that an editor set; "" below the others."""
    parts = [edited for edited in document.edited if edited == name or edited.startswith(f"{name}.")]
    if not parts:
        return ""
    fields = [
        {"name": part, "key": part.partition(".")[2], "own": _in_words(own_value(document, part))} for part in parts
    ]
    return render_to_string("admin/ingestion/document/set_by_editor.html", {"document": document, "fields": fields})


def _in_words(value: Any) -> str:
    if isinstance(value, date):
        return date_format(value)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)
