"""Named, replaceable parts: `component("embedders", "hashing")` gives one instance a process and set of options.

A part is declared in `settings.RAG["components"]` as `{"family": {"name": {"backend": dotted path, "options": {...}}}}`
and built on first use, each under a lock of its own: models are heavy, web servers are threaded, and while one model
loads the others serve.
"""

import json
import threading
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed
from django.utils.module_loading import import_string

from knowledgetree.conf import ComponentSettings, rag_settings

_Key = tuple[str, str, str]

_built: dict[_Key, Any] = {}
_locks: dict[_Key, threading.RLock] = {}


def component(family: str, name: str, options: Mapping[str, Any] | None = None) -> Any:
    """The instance declared as `name` in `family`, or of the class at the dotted path `name`.

    `options` (JSON values) go before the declared ones. Raises ImproperlyConfigured, naming the known choices, when
    there is none or its class cannot be imported.
    """
    key = _key(family, name, options)
    if key not in _built:
        with _locks.setdefault(key, threading.RLock()):
            if key not in _built:
                _built[key] = _build(*key)
    return _built[key]


def is_built(family: str, name: str, options: Mapping[str, Any] | None = None) -> bool:
    """Whether this process has the instance already, so that `component` costs nothing."""
    return _key(family, name, options) in _built


def _key(family: str, name: str, options: Mapping[str, Any] | None) -> _Key:
    return family, name, json.dumps(options or {}, sort_keys=True)


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
        _built.clear()


setting_changed.connect(_forget)
