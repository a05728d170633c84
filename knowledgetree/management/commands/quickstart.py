import signal
import socket
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from knowledgetree.env import ensure_secret
from knowledgetree.postgres.connections import leave_database
from knowledgetree.supervision.site_lock import SiteLock, SiteRuns, only_site
from knowledgetree.supervision.supervisor import Supervisor

_PORTS_TRIED = 20
_START_SECONDS = 120  # a busy machine takes long to load what the server needs; one that fails says so at once


class Command(BaseCommand):
    help = "Everything from an empty machine to the first answer: database, sample documents, worker, web server."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000, help="the first one tried")

    def handle(self, *, host: str, port: int, **options: Any) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):  # a shell that starts us in the background has SIGINT ignored
            signal.signal(number, signal.default_int_handler)
        try:
            with only_site(Path(settings.VAR_DIR)) as lock, _embedded_server():
                self._serve(host, port, lock)
        except KeyboardInterrupt:
            self._say("Zatrzymano.")
        except SiteRuns as other:
            raise CommandError(_already_runs(other)) from other

    def _serve(self, host: str, first: int, lock: SiteLock) -> None:
        call_command("migrate", verbosity=0, skip_checks=False)
        call_command("load_sample")
        password = self._administrator()
        port = self._free_port(host, first)
        address = f"http://{host}:{port}/"
        commands = {"Kolejka zadań": [sys.executable, "manage.py", "worker"], "Serwer WWW": _web_server(host, port)}
        supervisor = Supervisor(commands, folder=settings.BASE_DIR, say=self._say, held=lock.descriptor)
        try:
            self._wait_until_open(host, port, supervisor)
            lock.write_address(address)
            self._welcome(address, password)
            while True:
                time.sleep(0.5)
                supervisor.revive()
        except KeyboardInterrupt:
            self._say("\nZatrzymuję…")
            raise
        finally:
            _ignore_signals()
            supervisor.stop()

    def _administrator(self) -> Path:
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
                    self._say(f"Port {first} zajmuje inny program; używam {port}.")
                return port
        raise CommandError(f"Porty {first}–{first + _PORTS_TRIED - 1} są zajęte; podaj inny: --port NUMER")

    def _wait_until_open(self, host: str, port: int, supervisor: Supervisor) -> None:
        for _ in range(_START_SECONDS * 10):
            if not supervisor.all_run():
                raise CommandError("Serwer nie wystartował; przyczyna jest powyżej.")
            with socket.socket() as probe:
                if probe.connect_ex((host, port)) == 0:
                    return
            time.sleep(0.1)
        raise CommandError(f"Serwer nie odpowiada od {_START_SECONDS} sekund.")

    def _welcome(self, address: str, password: Path) -> None:
        self.stdout.write(f"\n  KnowledgeTree działa:   {self.style.SUCCESS(address)}")
        self.stdout.write(f"  Panel administracyjny:  {address}admin/")
        if password.exists():
            self.stdout.write(f"  Logowanie:              admin / {ensure_secret(password)[:20]}")
        self.stdout.write(
            "  Zapytaj na przykład:    Ile dni urlopu przysługuje pracownikowi z dziesięcioletnim stażem?"
        )
        self.stdout.write("  Zatrzymanie:            Ctrl+C\n")
        self.stdout.flush()  # a log file is written in blocks, and this program goes on for days

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


@contextmanager
def _embedded_server() -> Iterator[None]:
    """The embedded server stops in the end, unless another command uses it. It may have run before: a `quickstart` that
    was killed leaves it behind.
    """
    try:
        yield
    finally:
        _ignore_signals()  # an impatient second Ctrl+C would leave it running
        leave_database()


def _already_runs(other: SiteRuns) -> str:
    where = f"pod adresem {other.address}" if other.address else "i właśnie się uruchamia"
    return (
        f"KnowledgeTree z danymi w {settings.VAR_DIR} już działa {where} (proces {other.number}). "
        f"Zatrzymaj go (Ctrl+C w jego oknie albo: kill {other.number}) lub wskaż inny folder danych: VAR_DIR=…"
    )


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
