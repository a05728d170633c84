import signal
import socket
import subprocess
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
from django.db import connections

from knowledgetree.database import embedded_runs, stop_embedded
from knowledgetree.env import stored_secret

_PORTS_TRIED = 20


class Command(BaseCommand):
    help = "Everything from an empty machine to the first answer: database, sample documents, worker, web server."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000, help="the first one tried")

    def handle(self, *, host: str, port: int, **options: Any) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):  # a shell that starts us in the background has SIGINT ignored
            signal.signal(number, signal.default_int_handler)
        with _embedded_server():
            try:
                self._serve(host, port)
            except KeyboardInterrupt:
                self.stdout.write("\nZatrzymuję…")

    def _serve(self, host: str, port: int) -> None:
        call_command("migrate", verbosity=0)
        call_command("load_sample")
        password = self._administrator()
        port = self._free_port(host, port)
        commands = ([sys.executable, "manage.py", "worker"], _web_server(host, port))
        processes = [subprocess.Popen(command, cwd=settings.BASE_DIR) for command in commands]
        try:
            self._wait_until_open(host, port, processes)
            self._welcome(f"http://{host}:{port}/", password)
            self._watch(processes)
        finally:
            _stop(processes)

    def _administrator(self) -> Path:
        """The account `admin`, made once with a random password, which stays in a file for its owner."""
        path = Path(settings.VAR_DIR) / "admin-password"
        users = get_user_model().objects
        if not users.filter(is_superuser=True).exists():
            users.create_superuser("admin", password=stored_secret(path)[:20])
        return path

    def _free_port(self, host: str, first: int) -> int:
        for port in range(first, first + _PORTS_TRIED):
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind((host, port))
                except OSError:
                    continue
                return port
        raise CommandError(f"Porty {first}–{first + _PORTS_TRIED - 1} są zajęte; podaj inny: --port NUMER")

    def _wait_until_open(self, host: str, port: int, processes: list[subprocess.Popen[bytes]]) -> None:
        for _ in range(300):
            if any(process.poll() is not None for process in processes):
                raise CommandError("Serwer nie wystartował; przyczyna jest powyżej.")
            with socket.socket() as probe:
                if probe.connect_ex((host, port)) == 0:
                    return
            time.sleep(0.1)
        raise CommandError("Serwer nie odpowiada od 30 sekund.")

    def _welcome(self, address: str, password: Path) -> None:
        self.stdout.write(f"\n  KnowledgeTree działa:   {self.style.SUCCESS(address)}")
        self.stdout.write(f"  Panel administracyjny:  {address}admin/")
        if password.exists():
            self.stdout.write(f"  Logowanie:              admin / {stored_secret(password)[:20]}")
        self.stdout.write(
            "  Zapytaj na przykład:    Ile dni urlopu przysługuje pracownikowi z dziesięcioletnim stażem?"
        )
        self.stdout.write("  Zatrzymanie:            Ctrl+C\n")
        self.stdout.flush()  # a log file is written in blocks, and this program goes on for days

    def _watch(self, processes: list[subprocess.Popen[bytes]]) -> None:
        while all(process.poll() is None for process in processes):
            time.sleep(0.5)
        raise CommandError("Jeden z procesów zakończył się sam; przyczyna jest powyżej.")


@contextmanager
def _embedded_server() -> Iterator[None]:
    """The embedded server, if it starts inside, stops in the end, unless another command has come to use it."""
    directory: Path | None = settings.DATABASES["default"].get("EMBEDDED_DIRECTORY")
    found_running = directory is None or embedded_runs(directory)
    try:
        yield
    finally:
        _ignore_signals()  # an impatient second Ctrl+C would leave it running
        connections.close_all()
        if directory is not None and not found_running and embedded_runs(directory):
            stop_embedded(directory)


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


def _stop(processes: list[subprocess.Popen[bytes]]) -> None:
    _ignore_signals()
    for process in processes:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
    for process in processes:
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
