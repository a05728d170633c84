"""The settings in force and the versions of what works here. Secrets are never shown, only whether there is one."""

import platform
import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ingestion.models.viewers import is_superuser
from ingestion.selectors import active_space
from knowledgetree.language_models import LLM_STEPS
from rag.admin.assistants.preset_parts import said
from rag.evaluation.version import program_version
from rag.llm import model_for
from rag.llm.configuration import llm_settings, settings_in_force

_SECRET = re.compile(r"(^|[_.-])(api_?key|key|secret|password|passwd|token|credential|authorization)s?$", re.IGNORECASE)
PACKAGES = (
    "Django", "psycopg", "pgvector", "numpy", "simplemma", "morfeusz2", "spacy", "anthropic", "pypdfium2",
    "pytesseract", "pdfplumber", "sentence-transformers", "torch", "django-q2", "django-unfold",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSetting:
    """`name` is the way to it in `settings.RAG`; `own`: it was set to something else than `default`."""

    name: str
    value: str
    default: str
    own: bool


@require_safe
@never_cache
def settings_view(request: HttpRequest) -> HttpResponse:
    if not is_superuser(request.user):
        raise PermissionDenied
    context = {
        **admin.site.each_context(request),
        "title": _("Settings"),
        "groups": _grouped(shown_settings(settings_in_force())),
        "versions": list(versions()),
        "models": list(_models()),
    }
    return TemplateResponse(request, "admin/settings_seen/settings.html", context)


def shown_settings(settings: Any, way: str = "") -> list[ShownSetting]:
    """A dataclass of settings, flattened; what stands in mappings has no default."""
    shown: list[ShownSetting] = []
    for one in fields(settings):
        name, value = f"{way}{one.name}", getattr(settings, one.name)
        default: Any = one.default_factory() if one.default_factory is not MISSING else one.default
        if is_dataclass(value):
            shown += shown_settings(value, f"{name}.")
        elif isinstance(value, Mapping):
            shown += _mapped(value, name)
        else:
            own = list(value) != list(default) if isinstance(value, list | tuple) else value != default
            shown.append(ShownSetting(name=name, value=_safe(name, value), default=_safe(name, default), own=own))
    return shown


def versions() -> Iterator[tuple[str, str]]:
    """Versions of the program, of what it runs on, and of those optional packages that are installed."""
    yield "KnowledgeTree", program_version() or "–"
    yield "Python", platform.python_version()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('server_version'), (SELECT extversion FROM pg_extension WHERE extname = 'vector')"
        )
        server, vector = cursor.fetchone()
    yield "PostgreSQL", str(server)
    yield "pgvector (PostgreSQL)", str(vector or "–")
    for package in PACKAGES:
        try:
            yield package, version(package)
        except PackageNotFoundError:
            continue


def _models() -> Iterator[tuple[str, str]]:
    space, llm = active_space(), llm_settings()
    if space:
        yield _("embeddings"), f"{space.embedder}: {space.model} ({space.dimension})"
    for step in LLM_STEPS if llm.configured else ():
        yield step, model_for(llm, step)


def _mapped(values: Mapping[str, Any], way: str) -> Iterator[ShownSetting]:
    for key, value in values.items():
        name = f"{way}.{key}"
        if is_dataclass(value):
            value = {one.name: getattr(value, one.name) for one in fields(value)}
        if isinstance(value, Mapping):
            yield from _mapped(value, name)
        else:
            yield ShownSetting(name=name, value=_safe(name, value), default="", own=True)


def _safe(name: str, value: Any) -> str:
    """A value that may be read by whoever looks over a shoulder."""
    if isinstance(value, str) and _SECRET.search(name):
        return _("set") if value else _("not set")
    if isinstance(value, list | tuple):
        return ", ".join(_safe(name, one) for one in value) or "–"
    return _without_credentials(value) if isinstance(value, str) and "://" in value else said(value)


def _without_credentials(address: str) -> str:
    """An address without user, password and query, in which keys are passed too."""
    try:
        parts = urlsplit(address)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return "•••"
    return urlunsplit((parts.scheme, host, parts.path, "", ""))


def _grouped(shown: list[ShownSetting]) -> list[tuple[str, list[ShownSetting]]]:
    groups: dict[str, list[ShownSetting]] = {}
    for one in shown:
        groups.setdefault(one.name.partition(".")[0] if "." in one.name else "", []).append(one)
    return list(groups.items())
