"""The documentation as a site: built without a warning, its links and anchors hold, and read without the Internet."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mkdocs")
pytestmark = pytest.mark.slow

_LOADED = re.compile(r'<(?:script|link|img|iframe)[^>]*?\b(?:src|href)="((?:https?:)?//[^"]+)"')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    built = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 50
    assert {address for page in pages for address in _LOADED.findall(page.read_text(encoding="utf-8"))} == set()


@pytest.mark.parametrize(("page", "language"), [("przewodnik/czytelnik.html", "pl"), ("api.html", "en")])
def test_each_page_says_its_language(page: str, language: str, site: Path) -> None:
    assert f'<html lang="{language}"' in (site / page).read_text(encoding="utf-8")
