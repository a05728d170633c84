"""Which program measured: without it, nobody can repeat a result."""

import shutil
import subprocess
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

from django.conf import settings


@lru_cache(maxsize=1)
def program_version() -> str:
    """The package's version and, in a checkout, the commit, with `-dirty` where files differ from it."""
    try:
        number = version("knowledgetree")
    except PackageNotFoundError:
        number = ""
    return " ".join(part for part in (number, _commit()) if part)


def _commit() -> str:
    git = shutil.which("git")
    if git is None or not (settings.BASE_DIR / ".git").exists():
        return ""
    command = [git, "-C", str(settings.BASE_DIR), "describe", "--always", "--dirty", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout.strip()
    except (subprocess.SubprocessError, OSError):
        return ""
