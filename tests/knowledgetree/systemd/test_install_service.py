"""`manage.py install-service`: shows first, writes when told so, and systemd finds no fault in what it wrote."""

import os
import subprocess
from configparser import RawConfigParser
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from knowledgetree.systemd.environment_file import file_text, settings_in_force
from knowledgetree.systemd.installing import complaints
from knowledgetree.systemd.units import Installation, UnitFile, units

HARD = {"NoNewPrivileges": "yes", "ProtectSystem": "strict", "PrivateTmp": "yes", "CapabilityBoundingSet": ""}


def install(*options: str) -> str:
    out = StringIO()
    call_command("install-service", *options, stdout=out)
    return out.getvalue()


def installation(**fields: Any) -> Installation:
    told = {
        "python": Path("/srv/wiedza/.venv/bin/python"),
        "folder": Path("/srv/wiedza"),
        "writable": (Path("/var/lib/wiedza"), Path("/mnt/kopie zapasowe 100%")),
        "environment": Path("/etc/wiedza.env"),
        "user": "wiedza",
    }
    return Installation(**{**told, **fields})


def read(file: UnitFile) -> RawConfigParser:
    parser = RawConfigParser(delimiters=["="])
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string(file.text)
    return parser


def test_each_service_is_of_its_own_user_and_writes_to_its_own_folders_alone() -> None:
    services = [file for file in units(installation(backup_at="02:30")) if file.name.endswith(".service")]
    assert [file.name for file in services] == [
        "knowledgetree-web.service", "knowledgetree-worker@.service", "knowledgetree-backup.service",
    ]  # fmt: skip
    for file in services:
        service = dict(read(file)["Service"])
        assert service.items() >= {**HARD, "User": "wiedza", "ProtectHome": "yes"}.items()
        assert service["ReadWritePaths"] == '/var/lib/wiedza "/mnt/kopie zapasowe 100%%"'
        assert service["EnvironmentFile"] == "/etc/wiedza.env"


def test_the_target_wants_as_many_workers_as_are_asked_for_and_the_timer_where_there_is_one() -> None:
    plain = units(installation(workers=2))
    wanted = "knowledgetree-web.service knowledgetree-worker@1.service knowledgetree-worker@2.service"
    assert read(plain[0])["Unit"]["Wants"] == wanted
    target, *_others, timer = units(installation(backup_at="02:30"))
    assert read(target)["Unit"]["Wants"].endswith(" knowledgetree-backup.timer")
    assert read(timer)["Timer"]["OnCalendar"] == "*-*-* 02:30:00"


def test_an_embedded_server_outlives_one_of_its_services_and_its_socket_is_seen_by_all() -> None:
    _target, web, worker = map(read, units(installation(embedded=True)))
    assert web["Service"]["KillMode"] == worker["Service"]["KillMode"] == "process"
    assert worker["Unit"]["JoinsNamespaceOf"] == "knowledgetree-web.service"
    assert "JoinsNamespaceOf" not in read(units(installation())[2])["Unit"]


def test_what_lies_in_a_home_can_be_read() -> None:
    web = read(units(installation(folder=Path("/home/ala/wiedza")))[1])
    assert web["Service"]["ProtectHome"] == "read-only"


def test_a_shell_reads_the_settings_as_they_were() -> None:
    odd = {"SECRET_KEY": 'a"b\\c$HOME`id` d#e', "VAR_DIR": "/var/lib/wiedza"}
    script = 'eval "$1"; printf "%s|%s" "$SECRET_KEY" "$VAR_DIR"'
    said = subprocess.run(["/bin/sh", "-c", script, "sh", file_text(odd)], capture_output=True, text=True, check=True)
    assert said.stdout == f"{odd['SECRET_KEY']}|{odd['VAR_DIR']}"


def test_only_what_the_program_asks_for_is_taken_over() -> None:
    given = {"PATH": "/bin", "DATABASE_URL": "postgresql://x/y", "ALLOWED_HOSTS": "", "SECRET_KEY_FILE": "/run/key"}
    assert settings_in_force(Path("/var/lib/wiedza"), given) == {
        "DATABASE_URL": "postgresql://x/y", "SECRET_KEY_FILE": "/run/key", "VAR_DIR": "/var/lib/wiedza",
    }  # fmt: skip


def test_it_shows_without_secrets_and_writes_only_when_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "nobody-sees-it")
    shown = install()
    assert "ExecStart=" in shown
    assert "SECRET_KEY=…" in shown
    assert "nobody-sees-it" not in shown
    assert "Niczego nie zapisano" in shown
    told = install("--write", str(tmp_path / "units"), "--backup-at", "02:30")
    assert sorted(path.name for path in (tmp_path / "units").iterdir()) == [
        "knowledgetree-backup.service", "knowledgetree-backup.timer", "knowledgetree-web.service",
        "knowledgetree-worker@.service", "knowledgetree.env", "knowledgetree.target",
    ]  # fmt: skip
    environment = tmp_path / "units" / "knowledgetree.env"
    assert 'SECRET_KEY="nobody-sees-it"' in environment.read_text()
    assert environment.stat().st_mode & 0o077 == 0
    assert "nobody-sees-it" not in told
    environment.write_text("VAR_DIR=/mine\n")
    assert "zostawiono" in install("--write", str(tmp_path / "units"))
    assert environment.read_text() == "VAR_DIR=/mine\n"


@pytest.mark.parametrize(
    "options",
    [("--enable",), ("--backup-at", "25:00"), ("--workers", "0"), ("--user", "a b"), ("--write", "/proc/none/here")],
)
def test_what_cannot_be_is_refused(options: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        install(*options)


def test_nobody_but_root_puts_them_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(CommandError, match="root"):
        install("--yes")


def test_systemd_finds_no_fault_and_says_where_there_is_one(tmp_path: Path) -> None:
    files = units(installation(python=Path("/bin/true"), folder=Path("/"), backup_at="02:30"))
    for file in files:
        (tmp_path / file.name).write_text(file.text)
    said = complaints(tmp_path, files)
    if said is None:
        pytest.skip("no systemd here")
    assert said == ""
    (tmp_path / files[1].name).write_text(files[1].text.replace("ExecStart=", "ExecStart=/nowhere/"))
    assert "/nowhere/" in (complaints(tmp_path, files) or "")
