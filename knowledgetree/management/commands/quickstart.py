import signal
import socket
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ingestion.models import Collection
from knowledgetree import console
from knowledgetree.env import ensure_secret
from knowledgetree.guides import guides_are_loaded, guides_are_shipped
from knowledgetree.places import IN_CHECKOUT
from knowledgetree.postgres.connections import leave_database, release_connections
from knowledgetree.supervision.serving import ServingPlan, become_supervisor
from knowledgetree.supervision.site_lock import SiteLock, SiteRuns, only_site
from rag.evaluation.datasets.shipped_sets import GOLDEN_SET, store_shipped_set
from rag.insight.communities.building import build_communities
from rag.models import Community
from rag.selectors.assistants import HELP

_PORTS_TRIED = 20
_EXAMPLE = "Ile dni urlopu przysługuje pracownikowi z dziesięcioletnim stażem?"


class Command(console.Command):
    help = gettext_noop(
        "Everything from an empty machine to the first answer: database, sample documents, worker, web server."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help=_("the address to listen on (default: 127.0.0.1)"))
        parser.add_argument("--port", type=int, default=8000, help=_("the first one tried (default: 8000)"))

    def handle(self, *, host: str, port: int, **options: Any) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):  # a shell that starts us in the background has SIGINT ignored
            signal.signal(number, signal.default_int_handler)
        try:
            with only_site(Path(settings.VAR_DIR)) as lock, _embedded_server():
                plan = self._prepare(host, port, lock)
                release_connections()
                become_supervisor(plan)
        except KeyboardInterrupt:
            self.say(_("Stopped."))
        except SiteRuns as other:
            raise CommandError(_already_runs(other)) from other

    def _prepare(self, host: str, first: int, lock: SiteLock) -> ServingPlan:
        call_command("migrate", verbosity=0, skip_checks=False)
        call_command("load_sample")
        self._load_guides()
        store_shipped_set(GOLDEN_SET)
        self._group_documents()
        password = self._ensure_administrator()
        port = self._free_port(host, first)
        address = f"http://{host}:{port}/"
        worker = [sys.executable, "-m", "knowledgetree", "worker"]
        return ServingPlan(
            language=translation.get_language(),
            folder=str(settings.BASE_DIR),
            programs={_("Job queue"): worker, _("Web server"): _web_server(host, port)},
            host=host,
            port=port,
            address=address,
            lock=lock.descriptor,
            database=str(settings.DATABASES["default"].get("EMBEDDED_DIRECTORY", "")),
            welcome=self._welcome(address, password),
        )

    def _load_guides(self) -> None:
        """Of the first start, and where they are: an administrator may have deleted them."""
        if guides_are_shipped() and (guides_are_loaded() or not get_user_model().objects.exists()):
            call_command("load_guides")

    def _group_documents(self) -> None:
        """The topics of the library, of the first start; later the worker makes them anew, at night."""
        if not Community.objects.exists():
            for collection in Collection.objects.filter(only_when_chosen=False).order_by("pk"):
                build_communities(collection=collection)

    def _ensure_administrator(self) -> Path:
        """The account `admin`, made once with a random password, which stays in a file for its owner."""
        path = Path(settings.VAR_DIR) / "admin-password"
        users = get_user_model().objects
        if not users.filter(is_superuser=True).exists():
            users.create_superuser("admin", password=ensure_secret(path)[:20])
        return path

    def _free_port(self, host: str, first: int) -> int:
        for port in range(first, first + _PORTS_TRIED):
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind((host, port))
                except OSError:
                    continue
                if port != first:
                    ports = {"first": first, "port": port}
                    self.say(_("Another program has port %(first)d; using %(port)d.") % ports)
                return port
        tried = {"first": first, "last": first + _PORTS_TRIED - 1}
        raise CommandError(_("Ports %(first)d–%(last)d are taken; give another: --port NUMBER") % tried)

    def _welcome(self, address: str, password: Path) -> list[str]:
        sign_in = f"admin / {ensure_secret(password)[:20]}" if password.exists() else ""
        told = (
            (_("KnowledgeTree runs:"), self.style.SUCCESS(address)),
            (_("Admin:"), f"{address}admin/"),
            (_("Sign in:"), sign_in),
            (_("Help:"), f"{address}?assistant={HELP}" if guides_are_loaded() else ""),
            (_("1. Ask:"), _EXAMPLE),
            (_("2. Look around:"), f"{address}library/"),
            (_("3. Add your own files:"), f"{address}admin/ingestion/document/upload/"),
            (_("Its data:"), "" if IN_CHECKOUT else str(settings.VAR_DIR)),
            (_("To stop it:"), "Ctrl+C\n"),
        )
        return ["", *(f"  {words:<25}  {value}" for words, value in told if value)]


@contextmanager
def _embedded_server() -> Iterator[None]:
    """The embedded server stops where the site cannot be prepared, unless another command uses it. Later that is for
    `knowledgetree.supervision.serving` to do.
    """
    try:
        yield
    finally:
        _ignore_signals()  # an impatient second Ctrl+C would leave it running
        leave_database()


def _already_runs(other: SiteRuns) -> str:
    where = _("at %(address)s") % {"address": other.address} if other.address else _("and is just starting")
    return _(
        "KnowledgeTree with its data in %(folder)s runs already %(where)s (process %(number)s). Stop it (Ctrl+C in its "
        "window, or: kill %(number)s) or name another folder for data: VAR_DIR=…"
    ) % {"folder": settings.VAR_DIR, "where": where, "number": other.number}


def _ignore_signals() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def _web_server(host: str, port: int) -> list[str]:
    # One process serves the sample well; behind a proxy run several (docs/production.md).
    return [
        sys.executable,
        "-m",
        "uvicorn",
        "knowledgetree.asgi:application",
        "--host",
        host,
        "--port",
        str(port),
        "--log-level",
        "warning",
        "--lifespan",
        "off",
        "--no-proxy-headers",  # PROXIES and BEHIND_TLS_PROXY alone decide whose headers count
        "--timeout-graceful-shutdown",
        "3",
    ]
