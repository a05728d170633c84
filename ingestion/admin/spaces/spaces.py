from collections.abc import Callable
from typing import Any, ClassVar

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
from ingestion.admin.confirming import Confirming, NothingToAsk
from ingestion.admin.labels import live_cells
from ingestion.admin.spaces.actions import VERBS
from ingestion.admin.spaces.columns import LIVE
from ingestion.admin.spaces.forms import NewSpaceForm, verbs_of
from ingestion.models import EmbeddingSpace
from ingestion.services.spaces import create_space, pause_space, resume_space, roll_back


@admin.register(EmbeddingSpace)
class EmbeddingSpaceAdmin(Confirming, ReadOnlyAdmin[EmbeddingSpace]):
    """Nothing is edited here: whoever may change spaces acts through the services, each after a confirmation."""

    list_name = "admin:ingestion_embeddingspace_changelist"
    list_display = ["name", *LIVE, "embedder", "model", "dimension", "activated"]
    list_filter = ["status"]
    list_before_template = "admin/ingestion/embeddingspace/live.html"
    change_form_before_template = "admin/ingestion/embeddingspace/buttons.html"
    change_list_template = "admin/ingestion/embeddingspace/change_list.html"
    actions = ["pause", "resume"]
    fields: ClassVar[list[Any]] = [
        "name", *LIVE, "embedder", "model", "options", "dimension", "sentence_vectors",
        "template_version", "fusion", "created", "activated", "retired",
    ]  # fmt: skip

    class Media:
        js = [Script("admin/knowledgetree/jobs.js", type="module")]

    def get_queryset(self, request: HttpRequest) -> QuerySet[EmbeddingSpace]:
        """A space holds every collection; it names none."""
        return EmbeddingSpace.objects.all()

    def get_urls(self) -> list[URLPattern]:
        views: dict[str, tuple[str, Callable[..., HttpResponse]]] = {
            "progress": ("progress/", self.progress_view),
            "new": ("new/", self.new_view),
            "roll_back": ("roll-back/", self.roll_back_view),
            "act": ("<int:pk>/act/<str:verb>/", self.act_view),
        }
        own = [
            path(route, self.admin_site.admin_view(view), name=f"ingestion_embeddingspace_{name}")
            for name, (route, view) in views.items()
        ]
        return [*own, *super().get_urls()]

    def has_act_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("ingestion.change_embeddingspace")

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return super().changelist_view(request, {"may_act": self.has_act_permission(request), **(extra_context or {})})

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        space = context["original"]
        verbs = verbs_of(space) if self.has_act_permission(request) else []
        context |= {"space": space, "buttons": [(verb, VERBS[verb].label) for verb in verbs]}
        return super().render_change_form(request, context, *args, **kwargs)

    def progress_view(self, request: HttpRequest) -> JsonResponse:
        """The live cells, as HTML by column, of the spaces in `?id=`; `settled`: none is being built."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        keys = [int(key) for key in request.GET.getlist("id")[: self.list_per_page] if key.isdecimal()]
        spaces = EmbeddingSpace.objects.filter(pk__in=keys)
        settled = not spaces.filter(status=EmbeddingSpace.Status.BUILDING, paused=False).exists()
        return JsonResponse({"rows": {str(space.pk): live_cells(space, LIVE) for space in spaces}, "settled": settled})

    def new_view(self, request: HttpRequest) -> HttpResponse:
        form = NewSpaceForm(request.POST or None)
        return self.act_when_confirmed(
            request,
            form,
            lambda: create_space(**form.wanted()),
            title=gettext("New embedding space"),
            label=gettext("Create and fill"),
            consequence=gettext("It is filled in the background; until you activate it, nothing changes for readers."),
            done=gettext("Created."),
        )

    def roll_back_view(self, request: HttpRequest) -> HttpResponse:
        return self.act_when_confirmed(
            request,
            NothingToAsk(request.POST or None),
            roll_back,
            title=gettext("Back to the previous space"),
            label=gettext("Roll back"),
            consequence=gettext("The space that was active before gets what it missed and is searched again."),
            done=gettext("The previous space is activated as soon as it has what it missed."),
        )

    def act_view(self, request: HttpRequest, pk: int, verb: str) -> HttpResponse:
        space = get_object_or_404(EmbeddingSpace, pk=pk)
        if verb not in VERBS:
            raise Http404
        chosen = VERBS[verb]
        form = chosen.form(request.POST if request.method == "POST" else None)
        return self.act_when_confirmed(
            request,
            form,
            lambda: chosen.act(space=space, **form.cleaned_data),
            title=f"{chosen.label}: {space}",
            label=chosen.label,
            consequence=chosen.consequence,
            done=chosen.done,
            row=space,
        )

    @admin.action(description=_("Pause"), permissions=["act"])
    def pause(self, request: HttpRequest, queryset: QuerySet[EmbeddingSpace]) -> None:
        self.act_on_each(request, queryset, lambda space: pause_space(space=space))

    @admin.action(description=_("Resume"), permissions=["act"])
    def resume(self, request: HttpRequest, queryset: QuerySet[EmbeddingSpace]) -> None:
        self.act_on_each(request, queryset, lambda space: resume_space(space=space))
