from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms.widgets import Script
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ingestion.admin.base import ReadOnlyAdmin
from ingestion.admin.collections.rechunking_columns import LIVE, changes
from ingestion.admin.collections.rechunking_forms import VERBS, NewRechunkingForm, verbs_of
from ingestion.admin.confirming import Confirming, NothingToAsk
from ingestion.admin.labels import live_cells
from ingestion.models import Rechunking
from ingestion.selectors import visible_rechunkings
from ingestion.services.rechunking import pause_rechunking, resume_rechunking, start_rechunking


@admin.register(Rechunking)
class RechunkingAdmin(Confirming, ReadOnlyAdmin[Rechunking]):
    """Nothing is edited here: whoever may change the chunking acts through the services, each after a confirmation."""

    list_name = "admin:ingestion_rechunking_changelist"
    list_display = ["__str__", changes, *LIVE]
    list_filter = ["status"]
    list_before_template = "admin/ingestion/rechunking/live.html"
    change_form_before_template = "admin/ingestion/rechunking/buttons.html"
    change_list_template = "admin/ingestion/rechunking/change_list.html"
    actions = ["pause", "resume"]

    class Media:
        js = [Script("admin/knowledgetree/jobs.js", type="module")]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Rechunking]:
        return visible_rechunkings(request.user)

    def get_fields(self, request: HttpRequest, obj: Rechunking | None = None) -> list[Any]:
        margin = ["gate_margin"] if obj and obj.gate else []
        return [changes, *LIVE, *margin, "created", "started", "finished"]

    def get_urls(self) -> list[URLPattern]:
        views: dict[str, tuple[str, Callable[..., HttpResponse]]] = {
            "progress": ("progress/", self.progress_view),
            "new": ("new/", self.new_view),
            "act": ("<int:pk>/act/<slug:verb>/", self.act_view),
        }
        own = [
            path(route, self.admin_site.admin_view(view), name=f"ingestion_rechunking_{name}")
            for name, (route, view) in views.items()
        ]
        return [*own, *super().get_urls()]

    def has_act_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("ingestion.change_rechunking")

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return super().changelist_view(request, {"may_act": self.has_act_permission(request), **(extra_context or {})})

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        rechunking = context["original"]
        verbs = verbs_of(rechunking) if self.has_act_permission(request) else []
        context |= {"rechunking": rechunking, "buttons": [(verb, VERBS[verb].label) for verb in verbs]}
        return super().render_change_form(request, context, *args, **kwargs)

    def progress_view(self, request: HttpRequest) -> JsonResponse:
        """The live cells, as HTML by column, of those in `?id=`; `settled`: none of them runs."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        keys = [int(key) for key in request.GET.getlist("id")[: self.list_per_page] if key.isdecimal()]
        shown = self.get_queryset(request).filter(pk__in=keys)
        settled = not shown.filter(status=Rechunking.Status.RUNNING).exists()
        return JsonResponse({"rows": {str(one.pk): live_cells(one, LIVE) for one in shown}, "settled": settled})

    def new_view(self, request: HttpRequest) -> HttpResponse:
        if not self.has_act_permission(request):
            raise PermissionDenied
        form = NewRechunkingForm(request.POST or None, viewer=request.user)  # type: ignore[arg-type]
        return self.act_when_confirmed(
            request,
            form,
            lambda: start_rechunking(**form.wanted()),
            title=gettext("Change the chunking"),
            label=gettext("Split anew"),
            consequence=gettext(
                "The documents are split and embedded anew in the background, from their stored texts. Each changes "
                "over at once when it is ready, and is searched in between. It can be paused and rolled back."
            ),
            done=gettext("The documents are being split anew."),
        )

    def act_view(self, request: HttpRequest, pk: int, verb: str) -> HttpResponse:
        rechunking = get_object_or_404(self.get_queryset(request), pk=pk)
        if verb not in VERBS:
            raise Http404
        chosen = VERBS[verb]
        return self.act_when_confirmed(
            request,
            NothingToAsk(request.POST if request.method == "POST" else None),
            lambda: chosen.act(rechunking=rechunking),
            title=f"{chosen.label}: {rechunking}",
            label=chosen.label,
            consequence=chosen.consequence,
            done=chosen.done,
            row=rechunking,
        )

    @admin.action(description=_("Pause"), permissions=["act"])
    def pause(self, request: HttpRequest, queryset: QuerySet[Rechunking]) -> None:
        self.act_on_each(request, queryset, lambda one: pause_rechunking(rechunking=one))

    @admin.action(description=_("Resume"), permissions=["act"])
    def resume(self, request: HttpRequest, queryset: QuerySet[Rechunking]) -> None:
        self.act_on_each(request, queryset, lambda one: resume_rechunking(rechunking=one))
