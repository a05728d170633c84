"""The form field of an array of texts, for admin pages of both apps."""

from typing import Any

from django import forms
from django.contrib.postgres.forms import SimpleArrayField
from unfold.widgets import UnfoldAdminTextareaWidget


class ArrayLinesField(SimpleArrayField):
    """An array as lines; blank ones and repetitions do not count."""

    widget = UnfoldAdminTextareaWidget

    def __init__(self, base_field: forms.Field, **options: Any) -> None:
        super().__init__(base_field, **(options | {"delimiter": "\n", "widget": self.widget}))

    def to_python(self, value: Any) -> Any:
        lines = value.splitlines() if isinstance(value, str) else value or []
        return super().to_python("\n".join(dict.fromkeys(line.strip() for line in lines if line.strip())))
