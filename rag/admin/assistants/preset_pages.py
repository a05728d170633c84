"""Every preset with its parts and the stages that it makes of a question's way."""

from django.contrib import admin
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from rag.admin.assistants.preset_parts import changed_parts, parts_of
from rag.admin.assistants.stages import stages_of
from rag.llm.configuration import settings_in_force
from rag.models import Assistant
from rag.presets import Preset, default_name
from rag.services.choice import assistant_preset
from rag.services.presets import listed_presets


@require_safe
@never_cache
def presets_view(request: HttpRequest) -> HttpResponse:
    """`preset` is chosen by name, or it is that of an `assistant`, by number."""
    if not may_see_presets(request):
        raise PermissionDenied
    listed = listed_presets()
    assistant = _assistant(request)
    by_name = {one.name: one for one in listed}
    chosen = by_name.get(request.GET.get("preset", "")) or by_name[default_name()]
    preset = _preset_of(assistant) if assistant else chosen.parts
    context = {
        **admin.site.each_context(request),
        "title": _("Presets"),
        "presets": listed,
        "assistant": assistant,
        "chosen": None if assistant else chosen,
        "preset": preset,
        "parts": parts_of(preset) if preset else [],
        "stages": stages_of(preset, settings_in_force()) if preset else [],
    }
    return TemplateResponse(request, "admin/settings_seen/presets.html", context)


def may_see_presets(request: HttpRequest) -> bool:
    """Whoever may see assistants, which are made of presets."""
    return any(request.user.has_perm(f"rag.{action}_assistant") for action in ("view", "change"))


def preset_preview(assistant: Assistant) -> SafeString:
    """What the saved assistant does otherwise than a plain preset, with the way to all of it."""
    preset = _preset_of(assistant)
    if preset is None:
        return format_html("{}", _("The preset does not fit the settings any more."))
    rows = format_html_join(
        "",
        "<li><code>{}</code>: {} <small>({})</small></li>",
        ((p.name, p.value, p.words) for p in changed_parts(preset)),
    )
    address = f"{reverse('admin:rag_presets_changelist')}?assistant={assistant.pk}"
    return format_html(
        '<div>{}<ul>{}</ul><a href="{}" class="text-link">{}</a></div>',
        preset.name,
        rows,
        address,
        _("All parts and stages"),
    )


def _assistant(request: HttpRequest) -> Assistant | None:
    number = request.GET.get("assistant", "")
    return get_object_or_404(Assistant, pk=int(number)) if number.isascii() and number.isdigit() else None


def _preset_of(assistant: Assistant) -> Preset | None:
    try:
        return assistant_preset(assistant)
    except ImproperlyConfigured:
        return None
