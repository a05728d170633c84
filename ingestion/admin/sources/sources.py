"""The pages of sources."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms.widgets import Script
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.urls import URLPattern, path
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ingestion.admin.base import KnowledgeAdmin
from ingestion.admin.filters import CollectionFilter
from ingestion.admin.labels import excerpt
from ingestion.admin.sources.forms import FEED_CHOICES, FEED_FIELDS, SETTINGS, SourceForm, kinds_with, settings_about
from ingestion.admin.sources.panel import ACTS, panel_of
from ingestion.admin.sources.sync_columns import COLOURS, numbers
from ingestion.models import Source, SyncReport
from ingestion.models.viewers import is_superuser
from ingestion.services.sources import delete_source, save_source, start_sync
from ingestion.sources.connectors import KINDS
from knowledgetree.errors import KnowledgeTreeError


def _among(kinds: Iterable[str]) -> str:
    return f"[{', '.join(repr(kind) for kind in kinds)}].includes(kind)"


_CONNECTED = _among(KINDS)
_TELLING = _among(kind for kind, declared in KINDS.items() if declared.tells_rights)
_SIGNED_IN = _among(kind for kind, declared in KINDS.items() if declared.secret)
_PATHS = f"['folder', 'site', 'sitemap'].includes(kind) || {_CONNECTED}"
_POLITE = "['web', 'site', 'sitemap', 'feed'].includes(kind)"
_SITES = "['site', 'sitemap'].includes(kind)"
_TRY = "_try"  # the button of a new source that is not to be read yet
_READ = "kind != 'upload'"
_FEED = "kind == 'feed'"


@admin.register(Source)
class SourceAdmin(KnowledgeAdmin[Source]):
    form = SourceForm
    change_form_outer_before_template = "admin/ingestion/source/panel.html"
    list_display = ["name", "kind", "collection", "where", "rhythm_label", "result"]
    list_filter = [CollectionFilter, "kind"]
    list_select_related = ["collection"]
    search_fields = ["name", "location"]
    actions = ["synchronise"]
    fieldsets = [
        (None, {"fields": ["name", "collection", "kind", "location"]}),
        (
            _("Connection"),
            {"fields": [*settings_about("connection"), "secret", "forget_secret", "secret_key", "networks"]},
        ),
        (
            _("What is read"),
            {
                "fields": [
                    *settings_about("content"), "include", "exclude", ("max_pages", "max_depth"),
                    ("delay", "obey_robots"), "feed_key", "feed_items", ("feed_id", "feed_url"),
                    ("feed_title", "feed_modified"), ("feed_html", "feed_text"), "feed_next", "feed_full_text",
                    "feed_attachments", "feed_complete",
                ]
            },
        ),
        (
            _("Its documents"),
            {"fields": [
                ("category", "language"), "tags", "mirror_rights", *settings_about("documents"), "gone_policy",
            ]},
        ),
        (_("When"), {"fields": [("rhythm", "schedule")]}),
    ]  # fmt: skip
    conditional_fields = {
        "location": _READ, "include": _PATHS, "exclude": _PATHS, "max_pages": _SITES, "max_depth": "kind == 'site'",
        "delay": _POLITE, "obey_robots": _POLITE, "gone_policy": _READ, "rhythm": _READ,
        "schedule": f"{_READ} && rhythm == 'cron'", "feed_key": _FEED,
        **dict.fromkeys((*FEED_FIELDS, *(f"feed_{name}" for name in FEED_CHOICES)), _FEED),
        **dict.fromkeys(("secret", "forget_secret", "secret_key"), _SIGNED_IN), "networks": _CONNECTED,
        **{name: _among(kinds_with(setting)) for name, setting in SETTINGS.items()},
        "mirror_rights": _TELLING,
    }  # fmt: skip

    class Media:
        js = [Script("admin/knowledgetree/source.js", type="module")]

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.act_view)
        acts = [path(f"<int:pk>/{act}/", view, {"act": act}, name=f"ingestion_source_{act}") for act in ACTS]
        return [*acts, *super().get_urls()]

    def get_fieldsets(self, request: HttpRequest, obj: Source | None = None) -> Any:
        """What is stored can be removed; where nothing is there is nothing to say."""
        if obj and obj.encrypted_secret:
            return super().get_fieldsets(request, obj)
        return [
            (title, {**told, "fields": [name for name in told["fields"] if name != "forget_secret"]})
            for title, told in super().get_fieldsets(request, obj)
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: Source | None = None) -> list[str]:
        """Into private networks administrators alone let a source look."""
        return [] if is_superuser(request.user) else ["networks"]

    def act_view(self, request: HttpRequest, pk: int, act: str) -> HttpResponse:
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        source = get_object_or_404(self.get_queryset(request), pk=pk)
        if not self.has_change_permission(request, source):
            raise PermissionDenied
        try:
            said = ACTS[act](source)
        except KnowledgeTreeError as error:
            self.message_user(request, str(error), messages.ERROR)
        else:
            self.log_change(request, source, said)
            self.message_user(request, said, messages.SUCCESS)
        return redirect("admin:ingestion_source_change", pk)

    @admin.action(description=_("Synchronise now"), permissions=["change"])
    def synchronise(self, request: HttpRequest, queryset: QuerySet[Source]) -> None:
        started = sum(self._start(request, source) for source in queryset)
        if started:
            message = ngettext("%(n)d synchronisation was started.", "%(n)d synchronisations were started.", started)
            self.message_user(request, message % {"n": started}, messages.SUCCESS)

    def _start(self, request: HttpRequest, source: Source) -> bool:
        try:
            start_sync(source=source)
        except KnowledgeTreeError as error:
            self.message_user(request, f"{source}: {error}", messages.ERROR)
            return False
        self.log_change(request, source, gettext("Synchronisation started."))
        return True

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        source: Source | None = context["original"]
        if source is None:
            context["try_button"] = _TRY
        if source and source.is_read:
            may = self.has_change_permission(request, source)
            context |= {"panel": panel_of(source), "may_sync": may}
        return super().render_change_form(request, context, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Source, form: Any, change: bool) -> None:
        if not change:
            obj.owner_id = request.user.pk
            obj.paused = _TRY in request.POST and obj.is_read
        save_source(source=obj)
        if not change and obj.paused:
            self._try(request, obj)

    def response_add(self, request: HttpRequest, obj: Source, post_url_continue: str | None = None) -> HttpResponse:
        if _TRY in request.POST:
            return redirect("admin:ingestion_source_change", obj.pk)
        return super().response_add(request, obj, post_url_continue)

    def _try(self, request: HttpRequest, source: Source) -> None:
        """Before anything is read of it."""
        try:
            start_sync(source=source, dry=True)
        except KnowledgeTreeError as error:
            self.message_user(request, str(error), messages.WARNING)
        said = gettext("The source is paused: nothing is read from it until you end the pause.")
        self.message_user(request, said, messages.SUCCESS)

    def delete_model(self, request: HttpRequest, obj: Source) -> None:
        delete_source(source=obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Source]) -> None:
        for source in queryset:
            delete_source(source=source)

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[Any, Any], set[Any], list[Any]]:
        """Its documents stay; nobody wants to read every address."""
        return [str(source) for source in objs], {Source._meta.verbose_name_plural: len(objs)}, set(), []

    @admin.display(description=_("location"), ordering="location")
    def where(self, source: Source) -> SafeString | str:
        return render_to_string("admin/ingestion/source/where.html", {"text": excerpt(source.location, 200)})

    @admin.display(description=_("synchronise"), ordering="rhythm")
    def rhythm_label(self, source: Source) -> str:
        if not source.is_read:
            return "–"
        return (
            source.schedule
            if source.rhythm == Source.Rhythm.CRON
            else source.get_rhythm_display() or gettext("by hand")
        )

    @admin.display(description=_("last synchronised"), ordering="last_synced")
    def result(self, source: Source) -> SafeString | str:
        if not source.last_result:
            return "–"
        status = SyncReport.Status(source.last_result["status"])
        shown = {"status": status.label, "colour": COLOURS[status], "numbers": numbers(source.last_result)}
        return render_to_string("admin/ingestion/source/result.html", {**shown, "when": source.last_synced})
