"""Servers of language models: set up, and tried before anybody relies on them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from ingestion.models.viewers import is_superuser
from knowledgetree.language_models import LLM_APIS
from rag.admin.base import SuperuserAdmin
from rag.admin.language_models.connection import try_connection
from rag.admin.language_models.server_form import STEPS, LanguageModelServerForm
from rag.llm.configuration import CONNECTION, configured_names, llm_settings, server_settings, stored_servers
from rag.models import LanguageModelServer

_HOSTS = dict(zip(LLM_APIS, ("api.anthropic.com", "api.openai.com"), strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class StepInForce:
    """Which model does a step now, and on which server."""

    step: str
    model: str
    address: str


@admin.register(LanguageModelServer)
class LanguageModelServerAdmin(SuperuserAdmin[LanguageModelServer]):
    form = LanguageModelServerForm
    list_display = ["name", "api", "address", "model", "main", "has_key"]
    list_before_template = "admin/language_models/in_force.html"
    change_form_outer_before_template = "admin/language_models/check.html"

    def get_fieldsets(self, request: HttpRequest, obj: LanguageModelServer | None = None) -> Any:
        key = ["key", "forget_key"] if obj and obj.encrypted_key else ["key"]
        steps = [f"step_{step}" for step in STEPS]
        about = _("Empty: the fast model. A server that does not answer does only the steps that have a model here.")
        return [
            (None, {"fields": ["name", "main", "api", "base_url", *key]}),
            (_("Models"), {"fields": ["model", "fast_model"]}),
            (_("Models of single steps"), {"fields": steps, "classes": ["collapse"], "description": about}),
        ]

    def get_form(
        self, request: HttpRequest, obj: LanguageModelServer | None = None, change: bool = False, **kwargs: Any
    ) -> type[Any]:
        kwargs["fields"] = LanguageModelServerForm.Meta.fields  # the rest is no field of the row
        form: type[Any] = super().get_form(request, obj, change=change, **kwargs)
        return form

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.check_view)
        return [
            path("check/", view, name="rag_languagemodelserver_check_all"),
            path("<int:pk>/check/", view, name="rag_languagemodelserver_check"),
            *super().get_urls(),
        ]

    @method_decorator(sensitive_post_parameters("key"))
    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return super().changeform_view(request, *args, **kwargs)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        llm = llm_settings()
        context = {
            "llm_configured": llm.configured,
            "address": llm.base_url or _HOSTS[llm.api],
            "by_environment": bool(configured_names() & CONNECTION),
            "steps": list(_steps_in_force()) if llm.configured else [],
            "undecipherable": stored_servers().undecipherable,
        }
        return super().changelist_view(request, {**(extra_context or {}), **context})

    @method_decorator(never_cache)
    def check_view(self, request: HttpRequest, pk: int | None = None) -> HttpResponse:
        """Asks the server three times, in earnest; nothing of it is kept but its costs."""
        if not is_superuser(request.user):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        server = LanguageModelServer.objects.filter(pk=pk).first() if pk else None
        if pk and server is None:
            raise Http404
        settings = server_settings(server) if server else llm_settings()
        parts = list(try_connection(settings))
        context = {
            **self.admin_site.each_context(request),
            "title": _("Connection check"),
            "opts": self.opts,
            "server": server,
            "address": settings.base_url or _HOSTS[settings.api],
            "parts": parts,
            "well": all(part.well is not False for part in parts),
            "seconds": sum(part.seconds for part in parts),
        }
        return TemplateResponse(request, "admin/language_models/checked.html", context)

    @admin.display(description=gettext_lazy("address"))
    def address(self, server: LanguageModelServer) -> str:
        return server.base_url or _HOSTS[server.api]

    @admin.display(description=gettext_lazy("key"))
    def has_key(self, server: LanguageModelServer) -> str:
        if server.name in stored_servers().undecipherable:
            return _("cannot be decrypted")
        return _("set") if server.encrypted_key else _("not set")


def _steps_in_force() -> Iterator[StepInForce]:
    for step, words in {"answer": _("Writing the answer"), **STEPS}.items():
        own = llm_settings().for_step(step)
        yield StepInForce(step=str(words), model=own.model, address=own.base_url or _HOSTS[own.api])
