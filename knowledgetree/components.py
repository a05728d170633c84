"""Named, replaceable parts: `component("embedders", "hashing")` gives one instance a process and set of options.

A part is declared in `settings.RAG["components"]` as `{"family": {"name": {"backend": dotted path, "options": {...}}}}`
and built on first use, under a lock, because models are heavy and web servers are threaded.
"""

import json
import threading
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed
from django.utils.module_loading import import_string

from knowledgetree.conf import ComponentSettings, rag_settings

_lock = threading.RLock()


def component(family: str, name: str, options: Mapping[str, Any] | None = None) -> Any:
    """The instance declared as `name` in `family`, or of the class at the dotted path `name`.

    `options` (JSON values) go before the declared ones. Raises ImproperlyConfigured, naming the known choices, when
    there is none or its class cannot be imported.
    """
    with _lock:
        return _build(family, name, json.dumps(options or {}, sort_keys=True))


@cache
def _build(family: str, name: str, overrides: str) -> Any:
    declared = rag_settings().components.get(family, {})
    if name not in declared and "." not in name:
        known = ", ".join(sorted(declared)) or "none"
        raise ImproperlyConfigured(f"RAG: no {family!r} component is called {name!r}; declared: {known}.")
    spec = declared.get(name) or ComponentSettings(backend=name)
    try:
        backend = import_string(spec.backend)
    except ImportError as error:
        raise ImproperlyConfigured(f"RAG: {family}.{name}: cannot import {spec.backend!r}: {error}") from error
    try:
        return backend(**{**spec.options, **json.loads(overrides)})
    except TypeError as error:
        raise ImproperlyConfigured(f"RAG: {family}.{name}: wrong options for {spec.backend}: {error}") from error


def _forget(*, setting: str, **_: Any) -> None:
    if setting == "RAG":
        _build.cache_clear()


setting_changed.connect(_forget)
