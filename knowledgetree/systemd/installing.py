"""The units written into a folder, looked at by systemd itself, and switched on."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from django.utils.translation import gettext as _

from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.systemd.units import TARGET, UnitFile

SYSTEM = Path("/etc/systemd/system")


class InstallationFailed(KnowledgeTreeError):
    code = "installation_failed"


def write_units(files: Sequence[UnitFile], folder: Path) -> None:
    """Over those of the same names. Raises InstallationFailed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            (folder / file.name).write_text(file.text, encoding="utf-8")
    except OSError as error:
        raise _unwritable(error) from error


def write_environment(text: str, path: Path) -> bool:
    """For its owner alone. False where the file is there: what stands in it is nobody's to change but its owner's."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return False
    except OSError as error:
        raise _unwritable(error) from error
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    return True


def complaints(folder: Path, files: Sequence[UnitFile]) -> str | None:
    """What `systemd-analyze verify` says of the units, "" where they are well; None where there is no systemd."""
    if not (tool := shutil.which("systemd-analyze")):
        return None
    paths = [str(folder / file.name.replace("@.", "@1.")) for file in files]
    done = subprocess.run([tool, "verify", "--man=no", *paths], capture_output=True, text=True, check=False)
    return done.stderr.strip() if done.returncode else ""


def enable_units() -> None:
    """They run from now on, and after each start of the machine. Raises InstallationFailed."""
    for arguments in (["daemon-reload"], ["enable", TARGET], ["restart", TARGET]):
        command = [shutil.which("systemctl") or "systemctl", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise InstallationFailed(
                _("systemctl %(command)s did not succeed.") % {"command": " ".join(arguments)},
                remedy=done.stderr.strip(),
            )


def _unwritable(error: OSError) -> InstallationFailed:
    return InstallationFailed(
        _("%(path)s cannot be written: %(reason)s.") % {"path": error.filename, "reason": error.strerror},
        remedy=_("Run it as root, or name another folder: --write DIR"),
    )
