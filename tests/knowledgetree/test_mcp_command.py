from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "MCP_KEY"),
        ({"key": "kt_x", "url": "wiedza"}, "https://wiedza.example.pl"),
        ({"key": "kt_x", "url": "https://obca.example"}, "ALLOWED_HOSTS"),
    ],
)
def test_what_is_missing_is_said_before_anything_is_served(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, str], said: str
) -> None:
    monkeypatch.delenv("MCP_KEY", raising=False)
    output = StringIO()
    with pytest.raises(CommandError, match=said):
        call_command("mcp", stdout=output, **options)
    assert output.getvalue() == ""
