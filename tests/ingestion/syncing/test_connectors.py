"""A place of another program through the real job: what comes, changes, moves and goes, with whose rights."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ingestion.jobs import run_job
from ingestion.models import (
    Collection,
    Document,
    EngineChange,
    EngineGeneration,
    Job,
    Source,
    SourceAddress,
    SyncReport,
)
from ingestion.selectors import visible_documents
from ingestion.services.documents import delete_document
from ingestion.services.sources import pause_source, resume_source, save_source, start_sync
from ingestion.services.syncing.decisions import confirm_gone, keep_gone
from knowledgetree.identity.models import DirectoryGroup
from tests.ingestion.syncing.conftest import Sync
from tests.webdav_server import ACCOUNT, WebDAVServer

_Status = Document.Status


def document(name: str) -> Document:
    return Document.objects.get(uri__endswith=f"/{name}")


def index_all() -> None:
    for job in Job.objects.filter(kind="index_document", status="queued"):
        run_job(str(job.pk))


class TestComingAndGoing:
    def test_files_become_documents_and_unchanged_ones_cost_a_listing(
        self, source: Source, server: WebDAVServer, sync: Sync
    ) -> None:
        assert sync(source).counts["new"] == 2
        index_all()
        assert "26 dni" in document("urlopy.txt").chunks.get().text
        read = server.counted("GET")
        for number in range(40):
            (server.folder / f"{number}.txt").write_text(f"plik {number}")
        sync(source)
        with CaptureQueriesContext(connection) as queries:
            assert sync(source).counts["unchanged"] == 42
        assert server.counted("GET") == read + 40
        assert len(queries) < 40

    def test_what_was_moved_is_the_same_document(self, source: Source, server: WebDAVServer, sync: Sync) -> None:
        sync(source)
        index_all()
        before = document("urlopy.txt")
        (server.folder / "kadry").mkdir()
        (server.folder / "urlopy.txt").rename(server.folder / "kadry" / "urlopy.txt")
        report = sync(source)
        assert (report.counts["changed"], report.counts["new"], report.counts["gone"]) == (1, 0, 0)
        after = document("kadry/urlopy.txt")
        assert (after.pk, after.status, after.chunk_count) == (before.pk, _Status.READY, 1)
        assert SourceAddress.objects.count() == 2

    def test_what_an_editor_deleted_stays_away_under_another_name_too(
        self, source: Source, server: WebDAVServer, sync: Sync
    ) -> None:
        sync(source)
        delete_document(document=document("urlopy.txt"))
        (server.folder / "urlopy.txt").rename(server.folder / "nowa nazwa.txt")
        assert sync(source).counts["reasons"] == {"deleted": 1}
        assert sync(source).counts["reasons"] == {"deleted": 1}
        assert Document.objects.count() == 1

    def test_gone_there_is_archived_here_within_one_synchronisation(
        self, source: Source, server: WebDAVServer, sync: Sync
    ) -> None:
        sync(source)
        index_all()
        (server.folder / "urlopy.txt").unlink()
        assert sync(source).counts["gone"] == 1
        assert (document("urlopy.txt").status, document("urlopy.txt").chunks.count()) == (_Status.ARCHIVED, 0)

    def test_or_erased_with_every_trace(self, source: Source, server: WebDAVServer, sync: Sync, capsys: Any) -> None:
        Source.objects.update(gone_policy="erase")
        sync(source)
        index_all()
        uri = document("urlopy.txt").uri
        with pytest.raises(CommandError):
            call_command("prove_gone", uri)
        (server.folder / "urlopy.txt").unlink()
        report = sync(source)
        assert report.counts["gone"] == 1
        assert "urlopy" not in str(report.lists)
        call_command("prove_gone", uri, "--text", "Urlop trwa 26 dni")
        assert "kopie zapasowe" in capsys.readouterr().out.lower()
        engine = EngineGeneration.objects.create(k1=1.2, b=0.75, mean_length=9.0, begun_in=0)
        EngineChange.objects.create(generation=engine, chunk_id=1)
        with pytest.raises(CommandError):  # Qdrant is yet to be told
            call_command("prove_gone", uri)
        (server.folder / "urlopy.txt").write_text("Urlop wrócił.")
        assert sync(source).counts["new"] == 1


class TestMany:
    @pytest.fixture
    def emptied(self, source: Source, server: WebDAVServer, sync: Sync) -> Source:
        """Ten of forty were there and are not."""
        for number in range(40):
            (server.folder / f"{number}.txt").write_text(f"plik {number}")
        sync(source)
        for number in range(10):
            (server.folder / f"{number}.txt").unlink()
        return source

    @pytest.mark.parametrize("policy", ["archive", "erase"])
    def test_more_than_a_tenth_is_asked_about_and_waiting_is_no_agreement(
        self, emptied: Source, sync: Sync, policy: str
    ) -> None:
        Source.objects.update(gone_policy=policy)
        for _ in range(2):
            sync(emptied)
            assert SourceAddress.objects.filter(state="waiting").count() == 10
            assert Document.objects.exclude(status=_Status.ARCHIVED).count() == 42

    def test_who_agrees_has_it_done_as_the_source_says(self, emptied: Source, sync: Sync, admin_client: Client) -> None:
        sync(emptied)
        addresses = list(SourceAddress.objects.filter(state="waiting"))
        assert keep_gone(addresses=addresses[:1]) == 1
        emptied.gone_policy = "erase"
        emptied.save()
        answer = admin_client.post(f"/api/sources/{emptied.pk}/gone", {"decision": "remove"}, "application/json")
        assert (answer.status_code, answer.json()) == (200, {"documents": 9})
        assert Document.objects.count() == 33
        assert confirm_gone(addresses=addresses) == 0

    def test_a_command_decides_too(self, emptied: Source, sync: Sync) -> None:
        sync(emptied)
        call_command("settle_gone", "Dysk", "--remove", verbosity=0)
        assert Document.objects.filter(status=_Status.ARCHIVED).count() == 10


class TestRights:
    @pytest.fixture(autouse=True)
    def shares(self, source: Source, server: WebDAVServer) -> None:
        Source.objects.update(mirror_rights=True)
        source.refresh_from_db()
        server.shares = [
            {"share_type": 1, "share_with": "hr@example.pl", "path": "/urlopy.txt", "permissions": 1},
            {"share_type": 0, "share_with": "nieznany", "path": "/urlopy.txt", "permissions": 1},
        ]

    @pytest.fixture
    def kadry(self, employee: User) -> Group:
        group = Group.objects.create(name="Kadry")
        DirectoryGroup.objects.create(name="HR@example.pl", group=group)
        employee.groups.add(group)
        return group

    def test_those_whom_the_place_lets_read_are_those_who_read(
        self, source: Source, server: WebDAVServer, sync: Sync, kadry: Group, employee: User
    ) -> None:
        other = User.objects.create_user("inny")
        report = sync(source)
        index_all()
        assert {one.file_name for one in visible_documents(employee)} == {"urlopy.txt"}
        assert not visible_documents(other).exists()
        assert {one["uri"] for one in report.lists["unknown"]} == {ACCOUNT, "nieznany"}
        read = server.counted("GET")
        server.shares = [{"share_type": 0, "share_with": "inny", "path": "/urlopy.txt", "permissions": 1}]
        assert sync(source).counts["unchanged"] == 2
        assert not visible_documents(employee).exists()
        assert {one.file_name for one in visible_documents(other)} == {"urlopy.txt"}
        assert server.counted("GET") == read + 1  # of the shares

    def test_without_rights_nothing_comes_in_and_what_is_there_stays_closed(
        self, source: Source, server: WebDAVServer, sync: Sync, kadry: Group, employee: User
    ) -> None:
        sync(source)
        (server.folder / "nowy.txt").write_text("Nowy.")
        server.answer = lambda method, path: ("500 X", [], b"") if "ocs" in path else None
        assert sync(source).status == "failed"
        assert Document.objects.count() == 2
        Source.objects.update(mirror_rights=False)
        server.answer = lambda method, path: None
        source.refresh_from_db()
        sync(source)
        assert set(Document.objects.values_list("readership", flat=True)) == {None}


class TestRunning:
    def test_a_trial_changes_nothing_and_tells_everything(
        self, source: Source, server: WebDAVServer, sync: Sync
    ) -> None:
        sync(source)
        (server.folder / "urlopy.txt").unlink()
        (server.folder / "nowy.txt").write_text("Nowy.")
        read = server.counted("GET")
        source.refresh_from_db()
        before = (source.last_synced, source.last_result)
        job = start_sync(source=source, queue=False, dry=True)
        run_job(str(job.pk))
        report = SyncReport.objects.get(job=job)
        counts = {name: report.counts[name] for name in ("new", "gone", "unchanged")}
        assert (report.status, counts) == ("succeeded", {"new": 1, "gone": 1, "unchanged": 1})
        source.refresh_from_db()
        assert (source.last_synced, source.last_result, server.counted("GET")) == (*before, read)
        assert Document.objects.exclude(status=_Status.ARCHIVED).count() == 2

    def test_a_pause_stops_what_runs_and_ends_with_a_synchronisation(self, source: Source) -> None:
        job = start_sync(source=source)
        pause_source(source=source)
        job.refresh_from_db()
        assert job.status == Job.Status.CANCELLED
        assert resume_source(source=source).status == Job.Status.QUEUED

    def test_a_new_source_is_synchronised_by_itself(self, public: Collection, server: WebDAVServer) -> None:
        made = Source(collection=public, kind="webdav", name="Nowe", location=server.location, networks=["127.0.0.0/8"])
        save_source(source=made)
        assert Job.objects.get().source == made
