"""`manage.py mcp`: the tools over stdio, for programs on this machine that start their servers themselves."""

from argparse import ArgumentParser
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import SuspiciousOperation
from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from rest_framework.exceptions import APIException

from knowledgetree import console
from knowledgetree.env import env_secret, env_str
from rag.api.mcp import PATH

_PORTS = {"http": 80, "https": 443}


class Command(console.Command):
    """Its output is the protocol's alone; whatever else is said goes to stderr."""

    help = gettext_noop("Serve the knowledge base to a desktop program over stdio (Model Context Protocol).")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--key", default="", help=_("an API key; better in MCP_KEY, where nobody sees it"))
        parser.add_argument(
            "--url",
            default=env_str("MCP_URL", "http://127.0.0.1:8000"),
            help=_("where people open the knowledge base, for its links (default: %(default)s)"),
        )

    def handle(self, *, key: str, url: str, **options: Any) -> None:
        from rag.api.mcp.admission import call_from, call_in_hand, check_key  # the SDK takes half a second to import
        from rag.api.mcp.server import mcp_server

        if not (key := key or env_secret("MCP_KEY")):
            raise CommandError(
                _("Put an API key into MCP_KEY: knowledgetree api_key make NAME --user USER --scope search ask")
            )
        with call_from(_as_request(url, key)):
            try:
                with call_in_hand() as call:
                    call.get_host()
                    check_key(call)
            except (APIException, SuspiciousOperation) as error:
                raise CommandError(str(error)) from error
            mcp_server().run("stdio")


def _as_request(url: str, key: str) -> dict[str, Any]:
    """The ASGI scope of a request to the server at `url` with this key: what the tools know of a caller."""
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise CommandError(_("Write the address as https://wiedza.example.pl, not as %(url)s.") % {"url": url})
    prefix = parts.path.rstrip("/")
    return {
        "type": "http",
        "method": "POST",
        "scheme": parts.scheme,
        "path": f"{prefix}{PATH}",
        "root_path": prefix,
        "headers": [(b"host", parts.netloc.encode()), (b"authorization", f"Bearer {key}".encode())],
        "server": (parts.hostname, parts.port or _PORTS[parts.scheme]),
    }
