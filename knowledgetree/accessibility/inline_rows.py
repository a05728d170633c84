"""Rows of a form in a table of the administration, whose columns alone have names."""

from typing import Any

from django.http import HttpRequest


class NamedFields:
    """Each field of a row has the name of its column, for whoever hears the page. It goes before Django's inlines."""

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        formset = super().get_formset(request, obj, **kwargs)  # type: ignore[misc]
        for name, field in formset.form.base_fields.items():
            field.widget.attrs.setdefault("aria-label", field.label or name)
        return formset
