from typing import Any

from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ingestion.admin.base import ModelAdmin
from ingestion.models import LexiconPack


@admin.register(LexiconPack)
class LexiconPackAdmin(ModelAdmin[LexiconPack]):
    """The packs come with the release; people switch them on and off. Own words are groups of synonyms."""

    list_display = ["title", "enabled", "groups_shown", "groups_off"]
    fields = ["title", "enabled"]
    readonly_fields = ["title"]
    actions = ["put_in_use", "take_out_of_use"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: LexiconPack | None = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[LexiconPack]:
        counts = {"all_groups": Count("groups"), "off": Count("groups", filter=Q(groups__enabled=False))}
        return super().get_queryset(request).annotate(**counts)

    @admin.display(description=_("groups"))
    def groups_shown(self, pack: Any) -> SafeString:
        address = reverse("admin:ingestion_synonymgroup_changelist")
        return format_html('<a href="{}?pack={}">{}</a>', address, pack.name, pack.all_groups)

    @admin.display(description=_("of them switched off"))
    def groups_off(self, pack: Any) -> int:
        return int(pack.off)

    @admin.action(description=_("Use in search"), permissions=["change"])
    def put_in_use(self, request: HttpRequest, queryset: QuerySet[LexiconPack]) -> None:
        self._set_enabled(request, queryset.filter(enabled=False), enabled=True)

    @admin.action(description=_("Do not use in search"), permissions=["change"])
    def take_out_of_use(self, request: HttpRequest, queryset: QuerySet[LexiconPack]) -> None:
        self._set_enabled(request, queryset.filter(enabled=True), enabled=False)

    def _set_enabled(self, request: HttpRequest, packs: QuerySet[LexiconPack], *, enabled: bool) -> None:
        chosen = LexiconPack.objects.filter(pk__in=list(packs.values_list("pk", flat=True)))
        message = gettext("Used in search.") if enabled else gettext("Not used in search any more.")
        if request.user.pk is not None and chosen:
            LogEntry.objects.log_actions(request.user.pk, chosen, CHANGE, message)
        changed = chosen.update(enabled=enabled)
        self.message_user(request, ngettext("%(n)d pack changed.", "%(n)d packs changed.", changed) % {"n": changed})
