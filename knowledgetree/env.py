"""Typed readers of environment variables.

A secret `NAME` may also be given as `NAME_FILE`, the path of a file that holds it (Docker and systemd secrets).
"""

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

ASKED: set[str] = set()
"""The names of all variables that were asked for."""

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off", ""}


def env_str(name: str, default: str = "") -> str:
    ASKED.add(name)
    return os.environ.get(name, default)


def env_path(name: str, default: Path) -> Path:
    """The path in `name`, else (empty or not set) `default`: never the folder in which a command happens to start."""
    return Path(env_str(name) or default)


def env_bool(name: str, default: bool = False) -> bool:
    ASKED.add(name)
    value = os.environ.get(name)
    if value is None:
        return default
    if value.lower() in _TRUE:
        return True
    if value.lower() in _FALSE:
        return False
    raise ImproperlyConfigured(f"{name}={value!r} is not a yes or no; write 1 or 0.")


def env_int(name: str, default: int) -> int:
    ASKED.add(name)
    value = os.environ.get(name)
    if value is None:
        return default
    try:
        return int(value)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name}={value!r} is not a whole number.") from error


def env_list(name: str, default: str = "") -> list[str]:
    """Comma-separated values, without blanks."""
    return [part.strip() for part in env_str(name, default).split(",") if part.strip()]


def env_secret(name: str) -> str:
    """The variable `name`, else the content of the file that `name`_FILE points to, else ""."""
    ASKED.update((name, f"{name}_FILE"))
    if value := os.environ.get(name):
        return value
    path = os.environ.get(f"{name}_FILE")
    if not path:
        return ""
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ImproperlyConfigured(f"{name}_FILE points to {path}, which cannot be read: {error}") from error


def ensure_secret(path: Path) -> str:
    """The secret kept in `path`, made on first use and readable by its owner alone.

    Of several processes that make it at once all get the same one, and none sees it half written.
    """
    if path.exists() and not path.stat().st_size:  # which a full disk left
        path.unlink(missing_ok=True)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, written = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # for its owner alone
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(secrets.token_urlsafe(48))
        with suppress(FileExistsError):
            os.link(written, path)
        os.unlink(written)
    return path.read_text(encoding="utf-8").strip()
