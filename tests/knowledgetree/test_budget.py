"""The chat page stays light: a reader on a slow line waits for the answer, not for the page."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client

BUDGET = 150_000  # bytes of JavaScript and CSS, before compression
_STYLE = re.compile(r'<link rel="stylesheet" href="([^"]+)"')
_SCRIPT = re.compile(r'<script type="module" src="([^"]+)"')
_IMPORT = re.compile(r'from "(\./[^"]+)"')


def found(address: str) -> Path:
    return Path(str(finders.find(address.removeprefix(f"/{settings.STATIC_URL}".replace("//", "/")))))


def with_imports(script: Path) -> set[Path]:
    seen: set[Path] = set()
    waiting = [script]
    while waiting:
        if (file := waiting.pop()) not in seen:
            seen.add(file)
            waiting += [(file.parent / name).resolve() for name in _IMPORT.findall(file.read_text(encoding="utf-8"))]
    return seen


@pytest.mark.django_db
def test_scripts_and_styles_of_the_chat_page_are_within_the_budget(client: Client) -> None:
    html = client.get("/").content.decode()
    scripts = {file for address in _SCRIPT.findall(html) for file in with_imports(found(address))}
    styles = {found(address) for address in _STYLE.findall(html)}
    assert len(scripts) > 5
    assert len(styles) > 4
    assert sum(file.stat().st_size for file in scripts | styles) < BUDGET


@pytest.mark.django_db
def test_nothing_comes_from_outside(client: Client) -> None:
    html = client.get("/").content.decode()
    assert not re.findall(r'(?:src|href)="(?:https?:)?//[^"]+"', html)
