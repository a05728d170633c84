"""System checks: what is wrong with the configuration, said before the first question fails."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register
from django.core.exceptions import ImproperlyConfigured

from knowledgetree.conf import rag_settings


@register()
def check_rag_settings(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    try:
        rag = rag_settings()
    except ImproperlyConfigured as error:
        return [Error(str(error), id="knowledgetree.E001")]
    if rag.embedder not in rag.components.get("embedders", {}):
        known = ", ".join(sorted(rag.components.get("embedders", {})))
        return [Error(f"EMBEDDER={rag.embedder!r} is not declared.", hint=f"Known: {known}.", id="knowledgetree.E002")]
    return []


@register("security", deploy=True)
def check_hosts(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    if "*" in settings.ALLOWED_HOSTS:
        return [Warning("ALLOWED_HOSTS accepts every host name.", hint="List yours.", id="knowledgetree.W001")]
    return []
