"""An application beside Django gets what is sent to its path, and nothing else."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from knowledgetree.http.mounting import MountedApplication

CALLED: list[str] = []


async def mounted(scope: Any, receive: Any, send: Any) -> None:
    CALLED.append("mounted")


async def django(scope: Any, receive: Any, send: Any) -> None:
    CALLED.append("django")


def called(application: MountedApplication, path: str, *, kind: str = "http", root_path: str = "") -> list[str]:
    CALLED.clear()
    asyncio.run(application({"type": kind, "path": path, "root_path": root_path}, None, None))
    return list(CALLED)


@pytest.mark.parametrize(
    ("path", "root_path", "whose"),
    [
        ("/there", "", "mounted"),
        ("/there/", "", "mounted"),
        ("/wiedza/there", "/wiedza", "mounted"),
        ("/there", "/wiedza", "mounted"),  # of a proxy that takes the prefix away
        ("/", "", "django"),
        ("/there/more", "", "django"),
        ("/therefore", "", "django"),
        ("/wiedza/there", "", "django"),
    ],
)
def test_a_path_is_the_mounted_applications_alone(path: str, root_path: str, whose: str) -> None:
    application = MountedApplication(django, path="/there", dotted_path=f"{__name__}.mounted")
    assert called(application, path, root_path=root_path) == [whose]


def test_what_is_no_http_is_djangos() -> None:
    application = MountedApplication(django, path="/there", dotted_path=f"{__name__}.mounted")
    assert called(application, "/there", kind="websocket") == ["django"]


def test_it_is_imported_when_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "mounted_on_demand"
    (tmp_path / f"{name}.py").write_text("async def application(scope, receive, send): send(scope['path'])")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, name, raising=False)
    application = MountedApplication(django, path="/there", dotted_path=f"{name}.application")
    assert called(application, "/elsewhere") == ["django"]
    assert name not in sys.modules
    sent: list[str] = []
    asyncio.run(application({"type": "http", "path": "/there"}, None, sent.append))
    assert name in sys.modules
    assert sent == ["/there"]
