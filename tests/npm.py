"""Packages from npm for tests that meet programs in JavaScript: installed once on a machine, never in the project."""

import fcntl
import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

_SECONDS = 300


def ensure_packages(*packages: str, node: tuple[int, ...] = (18,)) -> Path:
    """The folder whose `node_modules` has `packages`, such as "openai@6".

    Skips the test where Node is missing or older than `node`, and where npm reaches no registry.
    """
    if shutil.which("npm") is None or (found := _node_version()) < node:
        pytest.skip(f"npm and Node {'.'.join(map(str, node))} are needed")
    name = hashlib.sha256(" ".join((*packages, str(found))).encode()).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"knowledgetree-npm-{name}"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            _install(folder, packages)
    return folder


def _node_version() -> tuple[int, ...]:
    said = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(map(int, said.strip().lstrip("v").split(".")))


def _install(folder: Path, packages: tuple[str, ...]) -> None:
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *packages]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_SECONDS, check=False)
    if done.returncode:
        pytest.skip(f"npm cannot install {' '.join(packages)}: {done.stderr.strip()[-300:]}")
    (folder / "complete").touch()
