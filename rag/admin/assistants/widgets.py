"""Widgets: on which pages an assistant answers, the tag that puts it there, and how it looks."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import PermissionDenied
from django.db.models import Field, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.templatetags.static import static
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from knowledgetree.admin.array_lines import ArrayLinesField
from rag.admin.base import ReaderFacingAdmin
from rag.models import Assistant, Widget
from rag.models.assistants import MOST_SUGGESTIONS
from rag.models.widgets import origin_of
from rag.selectors import editable_assistants, editable_widgets, living_widgets

# A careful host's, so that the preview proves what the documentation promises.
_STRICT = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)


class WidgetForm(forms.ModelForm):  # type: ignore[type-arg]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in {"origins", "greeting", "suggestions"} & self.fields.keys():  # none of somebody who may only look
            self.fields[name].widget.attrs["rows"] = 3

    def clean_origins(self) -> list[str]:
        return list(dict.fromkeys(map(origin_of, self.cleaned_data["origins"])))

    def clean_suggestions(self) -> list[str]:
        suggested: list[str] = self.cleaned_data["suggestions"]
        if len(suggested) > MOST_SUGGESTIONS:
            raise forms.ValidationError(_("Write at most %(n)d.") % {"n": MOST_SUGGESTIONS})
        return suggested


@admin.register(Widget)
class WidgetAdmin(ReaderFacingAdmin[Widget]):
    form = WidgetForm
    formfield_overrides = {ArrayField: {"form_class": ArrayLinesField}}
    change_form_outer_before_template = "admin/rag/widget/panel.html"
    list_display = ["name", "assistant", "shown_origins", "enabled"]
    list_filter = ["enabled"]
    search_fields = ["name", "public_id", "origins"]
    fields = ["name", "assistant", "origins", "greeting", "suggestions", "enabled"]

    class Media:
        css = {"all": ["admin/knowledgetree/admin.css"]}
        js = ["admin/knowledgetree/copy.js"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Widget]:
        return editable_widgets(request.user).order_by(*self.get_ordering(request) or ("name",))

    def formfield_for_foreignkey(
        self, db_field: Field[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> forms.ModelChoiceField[Any] | None:
        if db_field.related_model is Assistant:
            kwargs["queryset"] = editable_assistants(request.user)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)  # type: ignore[arg-type]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        widget: Widget | None = context["original"]
        if widget:
            context["panel"] = {
                "widget": widget,
                "tag": tag_of(widget, request),
                "answers": living_widgets().filter(pk=widget.pk).exists(),
            }
        return super().render_change_form(request, context, *args, **kwargs)

    def get_urls(self) -> list[URLPattern]:
        preview = self.admin_site.admin_view(never_cache(require_safe(self.preview)))
        return [path("<int:pk>/preview/", preview, name="rag_widget_preview"), *super().get_urls()]

    def preview(self, request: HttpRequest, pk: int) -> HttpResponse:
        """A page as somebody else's: with the tag, and a policy under which nothing inline runs."""
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        widget = get_object_or_404(self.get_queryset(request), pk=pk)
        look = {name: request.GET.get(name, "") for name in ("theme", "lang")}
        context = {"widget": widget, "look": look, "languages": settings.LANGUAGES}
        response = render(request, "admin/rag/widget/preview.html", context)
        response.headers["Content-Security-Policy"] = _STRICT
        return response

    @admin.display(description=_("allowed origins"))
    def shown_origins(self, widget: Widget) -> str:
        return ", ".join(widget.origins) or "–"


def tag_of(widget: Widget, request: HttpRequest) -> str:
    """What to copy into a page."""
    script = request.build_absolute_uri(static("widget/widget.js"))
    return f'<script src="{script}" data-widget="{widget.public_id}" defer></script>'
