"""A form whose labels begin with a capital letter, as those of the admin do."""

from typing import Any

from django import forms
from django.utils.text import capfirst


class LabelledForm(forms.Form):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.label = capfirst(str(field.label))
