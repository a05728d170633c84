"""System checks: what is wrong with the configuration, said before the first question fails."""

from collections.abc import Callable, Sequence
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


@register()
def check_second_extractor(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    from ingestion.extraction.second import SECOND_EXTRACTORS, is_installed

    try:
        name = rag_settings().ingestion.second_pdf_extractor
    except ImproperlyConfigured:  # said by the check of the settings
        return []
    if name and name not in SECOND_EXTRACTORS:
        known = ", ".join(sorted(SECOND_EXTRACTORS))
        return [Error(f"SECOND_PDF_EXTRACTOR={name!r} is not known.", hint=f"Known: {known}.", id="knowledgetree.E004")]
    if name and not is_installed(name):
        hint = "Install it: pip install -e '.[dual]'"
        return [Error(f"SECOND_PDF_EXTRACTOR={name!r} is not installed.", hint=hint, id="knowledgetree.E005")]
    return []


@register()
def check_presets(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    from rag.presets import default_name, known_names, preset

    try:
        wrong = [str(error) for name in (*known_names(), default_name()) if (error := _error_of(preset, name))]
    except ImproperlyConfigured:  # said by the check of the settings
        return []
    return [Error(message, id="knowledgetree.E003") for message in dict.fromkeys(wrong)]


def _error_of(build: Callable[[str], Any], name: str) -> ImproperlyConfigured | None:
    try:
        build(name)
    except ImproperlyConfigured as error:
        return error
    return None


@register("security", deploy=True)
def check_hosts(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    if "*" in settings.ALLOWED_HOSTS:
        return [Warning("ALLOWED_HOSTS accepts every host name.", hint="List yours.", id="knowledgetree.W001")]
    return []
