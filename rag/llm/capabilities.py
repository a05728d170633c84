"""What servers can do with a model: as declared, else as this process has found out."""

import threading
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext as _

from knowledgetree.language_models import Capabilities


class KnownCapabilities:
    """What one server does with one model. What was declared stays; the rest is learned. Thread-safe."""

    def __init__(self, declared: Capabilities | None = None) -> None:
        self._declared = declared or Capabilities()
        self._known = self._declared
        self._lock = threading.Lock()

    @property
    def now(self) -> Capabilities:
        return self._known

    def learn(self, **found: Any) -> bool:
        """Remember what was found out; whether it is new."""
        with self._lock:
            before = self._known
            self._known = replace(before, **{**found, **_declared(self._declared)})
            return self._known != before


@lru_cache(maxsize=64)
def known_capabilities(address: str, model: str, declared: Capabilities) -> KnownCapabilities:
    """The one of this process for `model` on the server at `address`."""
    return KnownCapabilities(declared)


def capability_words(capabilities: Capabilities) -> list[str]:
    """What is known of a server, for people, in the reader's language; nothing of what is not known."""
    said: dict[str, dict[Any, str]] = {
        "streaming": {True: _("it sends replies in pieces"), False: _("it sends replies whole")},
        "structured": {
            "schema": _("it keeps replies to a JSON schema"),
            "json": _("it keeps replies to JSON, but to no schema"),
            "instruction": _("nothing but the words of the prompt keeps replies to a form"),
        },
        "tools": {True: _("it takes tools"), False: _("it takes no tools")},
        "system_role": {False: _("it takes rules only together with the question")},
        "located_quotes": {
            True: _("it says from where it quotes"),
            False: _("it does not say from where it quotes, so that sources are numbered"),
        },
    }
    return [words[value] for name, words in said.items() if (value := getattr(capabilities, name)) in words]


def _declared(capabilities: Capabilities) -> dict[str, Any]:
    values = {one.name: getattr(capabilities, one.name) for one in fields(capabilities)}
    return {name: value for name, value in values.items() if value is not None}
