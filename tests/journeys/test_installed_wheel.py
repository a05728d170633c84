"""An installation without a checkout: the wheel in a folder of its own, `knowledgetree quickstart` in an empty one."""

import json
import os
import signal
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from zipfile import ZipFile

import pytest

from tests.embedded import copy_folder
from tests.installation import ROOT, free_port, wait_until

pytestmark = pytest.mark.slow

_BUILD = """
import sys
from setuptools.build_meta import build_sdist, build_wheel
folder = sys.argv[1]  # they write their own arguments there
build_sdist(folder), build_wheel(folder)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """What is uploaded, and a folder with the wheel installed; what it depends on is that of the tests."""

    source: Path
    wheel: Path
    installed: Path

    def start(self, *arguments: str, folder: Path, log: Path) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [str(self.installed / "bin/knowledgetree"), *arguments],
            cwd=folder,
            env=self.environment,
            stdout=log.open("w"),
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    @property
    def environment(self) -> dict[str, str]:
        unset = {"VAR_DIR", "DATABASE_URL", "DJANGO_SETTINGS_MODULE"}
        return {name: value for name, value in os.environ.items() if name not in unset} | {
            "PYTHONPATH": str(self.installed),
            "ANTHROPIC_API_KEY": "",
        }


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    folder = tmp_path_factory.mktemp("release")
    for file in _files_of_git("."):
        copy = folder / "source" / file
        copy.parent.mkdir(parents=True, exist_ok=True)
        copyfile(ROOT / file, copy)
    build = [sys.executable, "-c", _BUILD, str(folder)]
    subprocess.run(build, cwd=folder / "source", check=True, capture_output=True)
    (source,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile"]
    subprocess.run([*pip, "--target", str(folder / "installed"), str(wheel)], check=True)
    return Release(source=source, wheel=wheel, installed=folder / "installed")


def test_the_wheel_has_all_files_that_the_program_needs_and_no_tests(release: Release) -> None:
    packed = {name for name in ZipFile(release.wheel).namelist() if ".dist-info/" not in name}
    shipped = _files_of_git("templates", "fixtures", "docs/przewodnik")
    beside = {f"knowledgetree/shipped/{file}" for file in shipped if file[-3:] != ".py"}
    assert packed == beside | set(_files_of_git("knowledgetree", "ingestion", "rag"))


def test_the_source_archive_makes_the_same_wheel(release: Release) -> None:
    with tarfile.open(release.source) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    folders = "knowledgetree", "ingestion", "rag", "templates", "fixtures", "docs/przewodnik"
    assert packed >= {file for file in _files_of_git(*folders) if file != "fixtures/build_documents.py"}
    assert packed >= {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"}
    assert not [name for name in packed if name.startswith("tests/")]


def test_it_serves_and_answers_in_an_empty_folder(release: Release, furnished: Path, tmp_path: Path) -> None:
    folder, log = tmp_path / "empty", tmp_path / "log.txt"
    folder.mkdir()
    copy_folder(furnished, folder / "var")
    site = release.start("quickstart", "--port", str(free_port()), folder=folder, log=log)
    try:
        wait_until(lambda: "Ctrl+C" in log.read_text() or site.poll() is not None)
        assert str(folder / "var") in log.read_text()
        answer = _answer(release, folder, "Ile wynosi opłata skarbowa za pełnomocnictwo?")
        assert "17 zł" in answer["text"]
        assert answer["citations"][0]["uri"] == "mieszkancy/oplata-skarbowa.md"
    finally:
        if site.poll() is None:
            site.send_signal(signal.SIGINT)
        site.wait(timeout=120)
    assert site.returncode == 0, log.read_text()


def _answer(release: Release, folder: Path, question: str) -> dict[str, object]:
    command = [str(release.installed / "bin/knowledgetree"), "query", question, "--json"]
    done = subprocess.run(command, cwd=folder, env=release.environment, capture_output=True, text=True, check=True)
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def _files_of_git(*folders: str) -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--", *folders], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    return [file for file in listed.splitlines() if (ROOT / file).is_file()]
