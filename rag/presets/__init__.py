"""Presets: how a question is answered, as data."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext as _

from knowledgetree.conf import rag_settings
from rag.llm.configuration import llm_settings
from rag.presets.builtin import SHIPPED
from rag.presets.preset import Preset, checked_preset

__all__ = ["Preset", "default_name", "known_names", "preset"]


def preset(name: str = "", parts: Mapping[str, Any] | None = None) -> Preset:
    """The preset `name`, or the default one, with `parts` of it replaced.

    Raises ImproperlyConfigured, naming the known ones, and for parts that do not fit.
    """
    name = name or default_name()
    if name not in known_names():
        raise ImproperlyConfigured(f"No preset is called {name!r}; known: {', '.join(known_names())}.")
    own = rag_settings().presets.get(name, {})
    found = checked_preset(name, {**SHIPPED.get(name, {}), **own, **(parts or {})})
    _check_reranker(found, declared_only="reranker" in (parts or {}))
    return found


def _check_reranker(preset: Preset, *, declared_only: bool) -> None:
    """A dotted path is imported, so only the settings may name one."""
    declared = rag_settings().components.get("rerankers", {})
    if preset.reranker is None or preset.reranker in declared or ("." in preset.reranker and not declared_only):
        return
    raise ImproperlyConfigured(
        _("Preset %(preset)s: no reranker is called %(name)s; declared: %(known)s.")
        % {"preset": preset.name, "name": preset.reranker, "known": ", ".join(sorted(declared))}
    )


def default_name() -> str:
    """The configured preset, else `balanced` where a language model is configured and `offline` where none is."""
    return rag_settings().preset or ("balanced" if llm_settings().configured else "offline")


def known_names() -> list[str]:
    return sorted(SHIPPED.keys() | rag_settings().presets.keys())
