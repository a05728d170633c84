"""System checks: what is wrong with the configuration, said before the first question fails."""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from ipaddress import ip_network
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.core.exceptions import ImproperlyConfigured
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from knowledgetree.conf import rag_settings
from knowledgetree.console import OPERATION
from knowledgetree.env import env_secret


@register(OPERATION)
def check_rag_settings(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    try:
        rag = rag_settings()
    except ImproperlyConfigured as error:
        return [Error(str(error), id="knowledgetree.E001")]
    if rag.embedder not in rag.components.get("embedders", {}):
        known = ", ".join(sorted(rag.components.get("embedders", {})))
        return [Error(f"EMBEDDER={rag.embedder!r} is not declared.", hint=f"Known: {known}.", id="knowledgetree.E002")]
    return []


@register(OPERATION)
def check_chunkers(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    try:
        rag = rag_settings()
    except ImproperlyConfigured:  # said by the check of the settings
        return []
    chunking, known = rag.ingestion.chunking, rag.components.get("chunkers", {})
    wrong = sorted({chunking.chunker, *chunking.collections.values()} - known.keys())
    hint = f"Known: {', '.join(sorted(known))}."
    return [Error(f"There is no chunker {name!r}.", hint=hint, id="knowledgetree.E006") for name in wrong]


@register(OPERATION)
def check_metrics_networks(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    wrong = [network for network in settings.METRICS_NETWORKS if not _is_network(network)]
    hint = "Write networks as 10.0.0.0/8 or 192.168.1.7."
    return [Error(f"METRICS_NETWORKS: {name!r} is no network.", hint=hint, id="knowledgetree.E007") for name in wrong]


@register(OPERATION)
def check_user_token_secret(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Whoever guesses it is whoever they say. RFC 7518, 3.2: a key of HS256 is no shorter than its hash, 32 bytes."""
    if not settings.OPENWEBUI_JWT_SECRET or len(settings.OPENWEBUI_JWT_SECRET.encode()) >= 32:
        return []
    hint = "Make one of 32 characters or more: openssl rand -base64 48"
    return [Error("OPENWEBUI_JWT_SECRET is too short.", hint=hint, id="knowledgetree.E012")]


def _is_network(written: str) -> bool:
    try:
        ip_network(written, strict=False)
    except ValueError:
        return False
    return True


@register(OPERATION)
def check_extras_of_several_hosts(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    wanted = {"S3_BUCKET": ("storages", "s3", settings.S3), "REDIS_URL": ("redis", "redis", settings.REDIS_URL)}
    return [
        Error(
            f"{name} is set, but what it needs is not installed.",
            hint=f"pip install 'knowledgetree[{extra}]'",
            id="knowledgetree.E030",
        )
        for name, (module, extra, there) in wanted.items()
        if there and find_spec(module) is None
    ]


@register("security", deploy=True)
def check_common_secret(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Tasks, sessions and kept values are signed: hosts with keys of their own would not believe each other."""
    if not (settings.S3 or settings.REDIS_URL) or env_secret("SECRET_KEY"):
        return []
    hint = "Set SECRET_KEY to the same value on every host."
    return [Warning("Hosts share a store or Redis, but no SECRET_KEY is set.", hint=hint, id="knowledgetree.W030")]


@register(OPERATION)
def check_second_extractor(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    from ingestion.reading.second import SECOND_EXTRACTORS, is_installed

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


@register(OPERATION)
def check_presets(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    from rag.presets import known_names, preset

    try:
        # Not the default one's name where the settings do not say it: that is one of those that ship, and which of them
        # the database decides, which a program that starts may be without.
        names = filter(None, (*known_names(), rag_settings().preset))
        wrong = [str(error) for name in names if (error := _error_of(preset, name))]
    except ImproperlyConfigured:  # said by the check of the settings
        return []
    return [Error(message, id="knowledgetree.E003") for message in dict.fromkeys(wrong)]


def _error_of(build: Callable[[str], Any], name: str) -> ImproperlyConfigured | None:
    try:
        build(name)
    except ImproperlyConfigured as error:
        return error
    return None


@register(Tags.database)
def check_replaced_migrations(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """`migrate` asks this first. Of migrations that were made one, a database has all or none: with some of them Django
    would apply nothing and say nothing.
    """
    replacing = [one for one in MigrationLoader(None).disk_migrations.values() if one.replaces]
    return [
        Error(
            f"The database {alias!r} has {len(applied)} of the {len(one.replaces)} migrations that {one} replaces.",
            hint=f"First `migrate` with the last version that has {one.app_label}/migrations/{one.replaces[-1][1]}.py.",
            id="knowledgetree.E008",
        )
        for alias in databases or ()
        for one in replacing
        if 0 < len(applied := _applied(alias) & set(one.replaces)) < len(one.replaces)
    ]


def _applied(alias: str) -> set[tuple[str, str]]:
    return set(MigrationRecorder(connections[alias]).applied_migrations())


@register("security", deploy=True)
def check_hosts(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    if "*" in settings.ALLOWED_HOSTS:
        return [Warning("ALLOWED_HOSTS accepts every host name.", hint="List yours.", id="knowledgetree.W001")]
    return []
