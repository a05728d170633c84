"""What docs/webhooks.md tells receivers to do knows our messages from others, in both languages."""

import json
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from knowledgetree.webhooks.signing import new_secret, signed_headers
from tests.databases import ROOT

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BODY = '{"type": "test", "data": {"title": "łąka"}}'.encode()


def snippet(language: str, beginning: str) -> str:
    page = (ROOT / "docs" / "webhooks.md").read_text(encoding="utf-8")
    return next(code for name, code in _FENCE.findall(page) if name == language and code.startswith(beginning))


def cases() -> list[tuple[str, dict[str, str], bytes, bool]]:
    """(secret, headers, body, whether it is ours)."""
    secret, now = new_secret(), int(time.time())
    signed = signed_headers(secret, number="msg_1", timestamp=now, body=BODY)
    old = signed_headers(secret, number="msg_1", timestamp=now - 3600, body=BODY)
    several = signed | {"webhook-signature": f"v1,YQ== {signed['webhook-signature']}"}
    return [
        (secret, signed, BODY, True),
        (secret, several, BODY, True),
        (secret, signed, BODY + b" ", False),
        (new_secret(), signed, BODY, False),
        (secret, signed | {"webhook-id": "msg_2"}, BODY, False),
        (secret, old, BODY, False),
    ]


def test_in_python() -> None:
    told: dict[str, object] = {}
    exec(snippet("python", "import base64"), told)
    for secret, headers, body, ours in cases():
        assert told["is_ours"](secret, headers, body) is ours  # type: ignore[operator]


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node on this machine")
def test_in_javascript(tmp_path: Path) -> None:
    (tmp_path / "ours.mjs").write_text(snippet("js", "import {"), encoding="utf-8")
    given = [[secret, headers, body.decode()] for secret, headers, body, _ours in cases()]
    (tmp_path / "ask.mjs").write_text(
        'import { isOurs } from "./ours.mjs";\n'
        f"const said = {json.dumps(given)}.map(([secret, headers, body]) => "
        "isOurs(secret, headers, Buffer.from(body)));\nconsole.log(JSON.stringify(said));\n",
        encoding="utf-8",
    )
    output = subprocess.run(["node", "ask.mjs"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert json.loads(output) == [ours for *_case, ours in cases()]
