"""The language models in force: what the environment and the settings say of them, else what the admin does."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.db.models.signals import post_delete, post_save
from django.db.utils import InterfaceError, OperationalError, ProgrammingError

from knowledgetree.conf import RAGSettings, rag_settings
from knowledgetree.encryption import UndecipherableSecret, decrypt_secret
from knowledgetree.language_models import LLMServer, LLMSettings, StepModel
from rag.models import LanguageModelServer

SECONDS = 5.0
"""After so long every process works with what was changed in another one."""

CONNECTION = frozenset({"api", "api_key", "base_url"})
"""What goes together: a key of the environment is never sent to an address of the admin, nor the other way round."""

_ROWS = "llm-servers"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredServers:
    """Servers of the admin. `undecipherable` are the names of those whose key cannot be read: they are left out."""

    servers: tuple[LanguageModelServer, ...] = ()
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    undecipherable: tuple[str, ...] = ()

    @property
    def main(self) -> LanguageModelServer | None:
        return next((server for server in self.servers if server.main), None)


def llm_settings() -> LLMSettings:
    """Which language models are asked here, and how. The database is read every SECONDS at most."""
    configured = rag_settings().llm
    stored = stored_servers()
    if not stored.servers:
        return configured
    main, own = stored.main, configured_names()
    said = dict(_said(main, stored.keys[main.name])) if main else {}
    return replace(
        configured,
        **{name: value for name, value in said.items() if name not in own},
        servers={**_further(stored), **configured.servers},
        models={**_models(stored), **configured.models},
    )


def server_settings(server: LanguageModelServer) -> LLMSettings:
    """The settings as if `server` alone did everything, whatever the environment says: to try it."""
    said = dict(_said(server, _deciphered([server]).keys.get(server.name, "")))
    if not server.model and server.step_models:
        said["model"] = said["fast_model"] = next(iter(server.step_models.values()))
    return replace(rag_settings().llm, **said, servers={}, models=dict(server.step_models))


def settings_in_force() -> RAGSettings:
    """`rag_settings()` with `llm_settings()` in the place of what the settings alone say."""
    return replace(rag_settings(), llm=llm_settings())


def configured_names() -> set[str]:
    """The parts of LLMSettings that the environment or the settings decide: the admin's do not hold there."""
    said = {
        name for name, value in dict(getattr(settings, "RAG", {})).get("llm", {}).items() if value not in ("", None)
    }
    return said | CONNECTION | {"native_citations"} if said & CONNECTION else said


def stored_servers() -> StoredServers:
    """Those of the admin, with their keys. None where the database cannot be read, or has no table for them yet."""
    rows: tuple[LanguageModelServer, ...] | None = caches["results"].get(_ROWS)
    if rows is None:
        try:
            rows = tuple(LanguageModelServer.objects.all())
        except (OperationalError, InterfaceError, ProgrammingError):
            return StoredServers()
        caches["results"].set(_ROWS, rows, SECONDS)
    return _deciphered(rows)


def _said(server: LanguageModelServer, key: str) -> Iterable[tuple[str, Any]]:
    """Parts of LLMSettings and their values, where `server` answers."""
    yield "api", server.api
    yield "base_url", server.base_url
    yield "api_key", key
    yield "native_citations", _locates(server)
    if server.model or server.api != LanguageModelServer.API.MESSAGES:  # the models that need no naming are Anthropic's
        yield "model", server.model
        yield "fast_model", server.fast_model or server.model


def _further(stored: StoredServers) -> dict[str, LLMServer]:
    return {
        server.name: LLMServer(
            api=server.api,
            base_url=server.base_url,
            api_key=stored.keys[server.name],
            native_citations=_locates(server),
        )
        for server in stored.servers
        if not server.main
    }


def _models(stored: StoredServers) -> dict[str, str | StepModel]:
    """By step. Where the server that answers and a further one both name a model, the further one does the step."""
    return {
        step: model if server.main else StepModel(model=model, server=server.name)
        for server in stored.servers  # the one that answers comes first
        for step, model in server.step_models.items()
        if model
    }


def _locates(server: LanguageModelServer) -> bool:
    """Other servers of the Messages API may drop search results unseen, and the model would answer without sources."""
    return server.api == LanguageModelServer.API.MESSAGES and not server.base_url


def _deciphered(rows: Iterable[LanguageModelServer]) -> StoredServers:
    servers, keys, lost = [], {}, []
    for row in rows:
        try:
            keys[row.name] = decrypt_secret(row.encrypted_key) if row.encrypted_key else ""
            servers.append(row)
        except UndecipherableSecret:
            lost.append(row.name)
    return StoredServers(servers=tuple(servers), keys=keys, undecipherable=tuple(lost))


def _forget(**_: object) -> None:
    caches["results"].delete(_ROWS)


for _signal in (post_save, post_delete):
    _signal.connect(_forget, sender=LanguageModelServer, dispatch_uid="rag.llm.configuration")
