"""An inspector finds and takes away what the log has; nobody else sees it."""

import csv
import io
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from knowledgetree.audit import exporting
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import record_strictly
from knowledgetree.csv_files import BYTE_ORDER_MARK, csv_line
from tests.streamed import streamed_body

Action = AuditEntry.Action
LIST = "/admin/knowledgetree/auditentry/"


@pytest.fixture
def inspector(db: None) -> Client:
    user = User.objects.create_user("inspektor", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_auditentry"))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def empty_log(db: None) -> None:
    """Until the test ends: what threads of other tests wrote there was committed, and a trigger keeps it."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("DELETE FROM knowledgetree_auditentry")
        cursor.execute("SET LOCAL session_replication_role = origin")


@pytest.fixture
def entries(empty_log: None) -> list[AuditEntry]:
    anna, jan = User.objects.create_user("anna"), User.objects.create_user("jan")
    return [
        record_strictly(Action.ASK, viewer=anna, documents=[41], text="Ile dni urlopu?", outcome="answered"),
        record_strictly(Action.READ, viewer=jan, documents=[42]),
        record_strictly(Action.SEARCH, viewer=jan, text="=HYPERLINK(\"http://x\")"),
    ]  # fmt: skip


def shown(client: Client, **query: str) -> set[int]:
    response = client.get(LIST, query)
    assert response.status_code == 200
    return {entry.pk for entry in response.context["cl"].result_list}


def exported(client: Client, **query: str) -> list[list[str]]:
    response = client.get(f"{LIST}export/", query)
    text = streamed_body(response).decode()
    assert text.startswith(BYTE_ORDER_MARK)
    return list(csv.reader(io.StringIO(text.removeprefix(BYTE_ORDER_MARK)), delimiter=";"))


def test_it_is_searched_by_who_what_and_document(inspector: Client, entries: list[AuditEntry]) -> None:
    asked, read, searched = (entry.pk for entry in entries)
    assert shown(inspector, q="jan") >= {read, searched}
    assert asked not in shown(inspector, q="jan")
    assert shown(inspector, q="42", action__exact="read") == {read}
    assert shown(inspector, action__exact="ask") == {asked}
    assert shown(inspector, q="urlopu") == {asked}


def test_a_page_of_an_entry_says_what_was_asked_and_changes_nothing(
    inspector: Client, entries: list[AuditEntry]
) -> None:
    page = f"{LIST}{entries[0].pk}/change/"
    assert "Ile dni urlopu?" in inspector.get(page).content.decode()
    assert inspector.post(page, {"text": ""}).status_code == 403
    assert inspector.post(f"{LIST}{entries[0].pk}/delete/", {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("address", [LIST, f"{LIST}export/"])
def test_editors_without_the_permission_see_nothing(db: None, address: str) -> None:
    editor = User.objects.create_user("redaktor", is_staff=True)
    editor.user_permissions.set(Permission.objects.filter(content_type__app_label="ingestion"))
    client = Client()
    client.force_login(editor)
    assert client.get(address).status_code == 403
    assert "auditentry" not in client.get("/admin/").content.decode()


def test_a_file_has_what_the_list_shows_and_that_it_was_taken(inspector: Client, entries: list[AuditEntry]) -> None:
    names, *rows = exported(inspector, action__exact="ask")
    assert len(rows) == 1
    assert dict(zip(names, rows[0], strict=True))["kto"] == "anna"
    taken = AuditEntry.objects.get(action=Action.EXPORT)
    assert (taken.user_name, taken.details) == ("inspektor", {"shown": {"action__exact": "ask"}})


def test_what_an_inspector_looks_for_is_recorded_without_personal_data(inspector: Client) -> None:
    exported(inspector, q="44051401359")
    assert "44051401359" not in str(AuditEntry.objects.get(action=Action.EXPORT).details)


def test_no_cell_is_a_formula(inspector: Client, entries: list[AuditEntry]) -> None:
    names, row = exported(inspector, action__exact="search")
    assert dict(zip(names, row, strict=True))["tekst"].startswith("'=HYPERLINK")
    assert csv_line([-1, "-1", "@x"]) == "-1;'-1;'@x\r\n"


def test_a_log_of_many_pieces_comes_whole_and_once(
    inspector: Client, entries: list[AuditEntry], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "AT_ONCE", 2)
    numbers = [row[0] for row in exported(inspector)[1:]]
    assert len(numbers) == len(set(numbers)) == AuditEntry.objects.count()
    assert numbers == sorted(numbers, key=int, reverse=True)


class TestTheCommand:
    def test_it_writes_the_file_for_an_inspector(self, entries: list[AuditEntry], tmp_path: Path) -> None:
        file = tmp_path / "dziennik.csv"
        today = timezone.localdate().isoformat()
        call_command("audit", "--since", today, "--user", "anna", "--action", "ask", "--csv", str(file), verbosity=0)
        rows = list(csv.reader(io.StringIO(file.read_text("utf-8-sig")), delimiter=";"))
        assert [row[0] for row in rows[1:]] == [str(entries[0].pk)]
        taken = AuditEntry.objects.get(action=Action.EXPORT)
        assert taken.door == "command"
        assert taken.details["shown"]["user"] == "anna"

    def test_it_shows_what_was_asked_for(self, entries: list[AuditEntry], capsys: pytest.CaptureFixture[str]) -> None:
        call_command("audit", "--document", "42")
        (line,) = capsys.readouterr().out.splitlines()
        assert "jan" in line
        call_command("audit", "--until", (timezone.localdate() - timedelta(days=1)).isoformat())
        assert capsys.readouterr().out == ""

    def test_a_day_that_is_none_is_said_so(self, db: None) -> None:
        with pytest.raises(CommandError, match="2026-11-23"):
            call_command("audit", "--since", "wczoraj")
