"""The texts of the units: web server, workers, a timer of backups, and a target that starts and stops all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

NAME = "knowledgetree"
TARGET = f"{NAME}.target"

_HOMES = (Path("/home"), Path("/root"))

Lines: TypeAlias = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """Where the program lies and what it is given. `writable` are the folders that it may write to, the first of them
    VAR_DIR; `embedded`: PostgreSQL runs inside. `backup_at`: a time of day, "" for no timer.
    """

    python: Path
    folder: Path
    writable: tuple[Path, ...]
    environment: Path
    user: str
    host: str = "127.0.0.1"
    port: int = 8000
    web_processes: int = 2
    workers: int = 1
    embedded: bool = False
    backup_at: str = ""
    backups_kept: int = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitFile:
    name: str
    text: str


def units(installation: Installation) -> list[UnitFile]:
    """All of them, the target first."""
    made = [_target(installation), _web(installation), _worker(installation)]
    return [*made, *_backup(installation)] if installation.backup_at else made


def _target(installation: Installation) -> UnitFile:
    workers = [f"{NAME}-worker@{number}.service" for number in range(1, installation.workers + 1)]
    timer = [f"{NAME}-backup.timer"] if installation.backup_at else []
    wanted = " ".join([f"{NAME}-web.service", *workers, *timer])
    return _unit(
        TARGET,
        Unit=[("Description", "KnowledgeTree: web server and workers"), ("Wants", wanted)],
        Install=[("WantedBy", "multi-user.target")],
    )


def _web(installation: Installation) -> UnitFile:
    command = (
        f"{_quoted(installation.python)} -m uvicorn knowledgetree.asgi:application --host {installation.host} "
        f"--port {installation.port} --workers {installation.web_processes} --lifespan off --no-proxy-headers "
        "--timeout-graceful-shutdown 30"
    )
    return _unit(
        f"{NAME}-web.service",
        Unit=_about("KnowledgeTree: web server"),
        Service=[*_service(installation, command), ("Restart", "always"), *_ending(installation, 45)],
    )


def _worker(installation: Installation) -> UnitFile:
    """A template: `knowledgetree-worker@1.service` is the first."""
    command = f"{_quoted(installation.python)} -m knowledgetree worker"
    return _unit(
        f"{NAME}-worker@.service",
        Unit=[*_about("KnowledgeTree: worker %i"), *_joined(installation)],
        Service=[*_service(installation, command), ("Restart", "always"), *_ending(installation, 60)],
    )


def _backup(installation: Installation) -> Iterator[UnitFile]:
    command = f"{_quoted(installation.python)} -m knowledgetree backup --keep {installation.backups_kept}"
    yield _unit(
        f"{NAME}-backup.service",
        Unit=[
            ("Description", "KnowledgeTree: backup"),
            ("After", "network-online.target"),
            ("Wants", "network-online.target"),
            *_joined(installation),
        ],
        Service=[*_service(installation, command, kind="oneshot"), ("Nice", "10"), ("IOSchedulingClass", "idle")],
    )
    yield _unit(
        f"{NAME}-backup.timer",
        Unit=[("Description", "KnowledgeTree: a backup every day"), ("PartOf", TARGET)],
        Timer=[("OnCalendar", f"*-*-* {installation.backup_at}:00"), ("Persistent", "yes")],
    )


def _about(description: str) -> Lines:
    return [
        ("Description", description),
        ("PartOf", TARGET),
        ("After", "network-online.target postgresql.service"),
        ("Wants", "network-online.target"),
        ("StartLimitIntervalSec", "0"),  # a database that is away for an hour is no reason to give up
    ]


def _joined(installation: Installation) -> Lines:
    """The socket of an embedded server may lie in /tmp, which is private otherwise."""
    return [("JoinsNamespaceOf", f"{NAME}-web.service")] if installation.embedded else []


def _service(installation: Installation, command: str, *, kind: str = "exec") -> Lines:
    var_dir = installation.writable[0]
    return [
        ("Type", kind),
        ("User", installation.user),
        ("WorkingDirectory", str(installation.folder)),
        ("Environment", _quoted(f"HOME={var_dir}")),  # libraries keep their caches there
        ("EnvironmentFile", str(installation.environment)),
        ("ExecStart", command),
        *_hardening(installation),
    ]


def _ending(installation: Installation, seconds: int) -> Lines:
    """An embedded server outlives the process that started it, for the others use it too."""
    return [
        ("RestartSec", "2"),
        ("KillMode", "process" if installation.embedded else "mixed"),
        ("TimeoutStopSec", str(seconds)),
    ]


def _hardening(installation: Installation) -> Lines:
    """Nothing that needs devices or memory that is written and run is forbidden: neural models use both."""
    used = (installation.python, installation.folder, installation.environment, *installation.writable)
    at_home = any(path.is_relative_to(home) for path in used for home in _HOMES)
    return [
        ("NoNewPrivileges", "yes"),
        ("ProtectSystem", "strict"),
        ("ReadWritePaths", " ".join(map(_quoted, installation.writable))),
        ("ProtectHome", "read-only" if at_home else "yes"),
        ("PrivateTmp", "yes"),
        ("ProtectKernelTunables", "yes"),
        ("ProtectKernelModules", "yes"),
        ("ProtectKernelLogs", "yes"),
        ("ProtectControlGroups", "yes"),
        ("ProtectClock", "yes"),
        ("RestrictAddressFamilies", "AF_INET AF_INET6 AF_UNIX AF_NETLINK"),
        ("RestrictNamespaces", "yes"),
        ("RestrictRealtime", "yes"),
        ("RestrictSUIDSGID", "yes"),
        ("LockPersonality", "yes"),
        ("CapabilityBoundingSet", ""),
        ("SystemCallArchitectures", "native"),
        ("UMask", "0077"),
    ]


def _unit(name: str, **sections: Lines) -> UnitFile:
    parts = (
        "\n".join([f"[{section}]", *(f"{key}={value}" for key, value in lines)]) for section, lines in sections.items()
    )
    return UnitFile(name=name, text="\n\n".join(parts) + "\n")


def _quoted(value: object) -> str:
    """As a word of a unit, in which % begins a specifier."""
    text = str(value).replace("%", "%%")
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' if any(c in text for c in " \"'\\") else text
