"""Every command of docs/integrations.md works when it is pasted, and says what the page says below it."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.databases import ROOT
from tests.embedded import furnished_installation
from tests.installation import PATIENCE

pytestmark = pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl on this machine")

PAGE = ROOT / "docs" / "integrations.md"
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LEFT_OUT = "…"
_TOLD = 2000  # characters of an output, where a command fails
_ADMINISTRATOR = "from django.contrib.auth.models import User; User.objects.create_superuser('admin')"


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A command of the page, and the block below it: what stands in the output, in this order."""

    command: str
    expected: str

    def missing_from(self, output: str) -> list[str]:
        """The pieces that do not come, each after the one before."""
        missing, place = [], 0
        for piece in re.split(rf"[\n{_LEFT_OUT}]", self.expected):
            found = output.find(piece.strip(), place)
            if found < 0:
                missing.append(piece.strip())
            else:
                place = found + len(piece.strip())
        return missing


def sections(text: str) -> dict[str, list[Example]]:
    """The examples below each heading. ValueError for a command that the page says nothing of."""
    _introduction, *parts = _SECTION.split(text)
    return {heading: _examples(body) for heading, body in zip(parts[::2], parts[1::2], strict=True)}


def _examples(body: str) -> list[Example]:
    blocks = _FENCE.findall(body)
    found = []
    for number, (language, command) in enumerate(blocks):
        if language != "sh":
            continue
        below = blocks[number + 1 : number + 2]
        if not below or below[0][0] == "sh" or not below[0][1].strip(f" \n{_LEFT_OUT}"):
            raise ValueError(f"Nothing is said of what comes of: {command}")
        found.append(Example(command=command, expected=below[0][1]))
    return found


SECTIONS = sections(PAGE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def surroundings(furnished: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """What the commands find around them: a server with the sample knowledge base, and a key for everything."""
    with furnished_installation(furnished, tmp_path_factory.mktemp("integrations") / "var") as installed:
        installed.manage("shell", "-v", "0", "-c", _ADMINISTRATOR)
        scopes = ("search", "ask", "documents:read", "documents:write", "evaluate", "admin")
        key = installed.manage("api_key", "make", "integrations", "--user", "admin", "--scope", *scopes).stdout.strip()
        yield {
            **installed.environment,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "KNOWLEDGETREE": installed.start_web(),
            "KEY": key,
        }


def run(command: str, surroundings: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """As pasted in the project's folder, but for what a shell goes on after: any failure ends it."""
    return subprocess.run(
        ["/bin/sh", "-eu", "-c", command],
        cwd=ROOT,
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


@pytest.mark.parametrize("heading", SECTIONS)
def test_what_the_page_tells_to_paste_works(surroundings: dict[str, str], heading: str) -> None:
    assert SECTIONS[heading], "a door without a command"
    for example in SECTIONS[heading]:
        done = run(example.command, surroundings)
        said = f"{example.command}\n{done.stdout[:_TOLD]}\n{done.stderr[-_TOLD:]}"
        assert done.returncode == 0, said
        assert example.missing_from(done.stdout) == [], said


def test_an_output_that_differs_is_noticed() -> None:
    example = Example(command="", expected="event: started\n… 17 zł … [1]\n")
    assert example.missing_from("event: started\nwynosi 17 zł. [1]") == []
    assert example.missing_from("event: started\nwynosi 18 zł. [1]") == ["17 zł"]
    assert example.missing_from("wynosi 17 zł. [1]\nevent: started") == ["17 zł", "[1]"]


def test_a_command_of_which_nothing_is_said_is_noticed() -> None:
    with pytest.raises(ValueError, match="curl"):
        sections("## Search\n\n```sh\ncurl\n```\n\n```sh\ncurl\n```\n")
