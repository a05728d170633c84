"""What happens to documents when files of a folder come, change, go and come back, and editors have their own mind."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ingestion.jobs import run_job
from ingestion.models import Document, Job, Source, SourceAddress
from ingestion.services.documents import add_document, archive_document, delete_document, restore_document
from ingestion.services.sources import save_source
from ingestion.services.syncing.decisions import allow_again, confirm_gone, keep_gone
from knowledgetree.events.models import Occurrence
from tests.ingestion.syncing.conftest import Sync

_Status = Document.Status
_State = SourceAddress.State
URI = "pliki/kadry/urlopy.txt"


def index_all() -> None:
    for job in Job.objects.filter(kind="index_document", status="queued"):
        run_job(str(job.pk))


def addresses(**wanted: Any) -> list[SourceAddress]:
    return list(SourceAddress.objects.filter(**wanted))


class TestComingAndChanging:
    def test_files_become_documents_with_what_the_source_gives(self, folder_source: Source, sync: Sync) -> None:
        folder_source.category, folder_source.tags = "kadry", ["hr"]
        folder_source.save()
        report = sync(folder_source)
        assert (report.status, report.counts["new"]) == ("succeeded", 2)
        document = Document.objects.get(uri=URI)
        assert (document.source, document.category, document.tags) == (folder_source, "kadry", ["hr"])
        folder_source.refresh_from_db()
        assert folder_source.last_synced
        assert folder_source.last_result["new"] == 2

    def test_an_unchanged_folder_makes_no_job_and_asks_nothing_about_its_files(
        self, folder_source: Source, folder: Path, sync: Sync
    ) -> None:
        sync(folder_source)
        index_all()
        jobs = Job.objects.filter(kind="index_document").count()
        for number in range(50):
            (folder / f"{number}.txt").write_text(f"plik {number}")
        sync(folder_source)
        with CaptureQueriesContext(connection) as queries:
            report = sync(folder_source)
        assert report.counts["unchanged"] == 52
        assert Job.objects.filter(kind="index_document").count() == jobs + 50
        assert len(queries) < 40

    def test_a_changed_file_changes_its_one_document(self, folder_source: Source, folder: Path, sync: Sync) -> None:
        sync(folder_source)
        (folder / "urlopy.txt").write_text("Urlop trwa teraz 30 dni.")
        report = sync(folder_source)
        assert (report.counts["changed"], report.counts["unchanged"]) == (1, 1)
        assert [entry["uri"] for entry in report.lists["changed"]] == [URI]
        assert Document.objects.count() == 2
        index_all()
        assert "30 dni" in Document.objects.get(uri=URI).chunks.get().text

    def test_a_file_that_is_refused_is_a_failure_and_the_rest_comes_in(
        self, folder_source: Source, folder: Path, sync: Sync
    ) -> None:
        (folder / "pusty.txt").write_text("")
        report = sync(folder_source)
        assert (report.status, report.counts["new"], report.counts["failed"]) == ("succeeded", 2, 1)
        assert "pusty.txt" in report.lists["failed"][0]["uri"]
        (folder / "pusty.txt").write_text("Już nie pusty.")
        assert sync(folder_source).counts["new"] == 1

    def test_a_bad_new_version_leaves_the_old_document(self, folder_source: Source, folder: Path, sync: Sync) -> None:
        sync(folder_source)
        index_all()
        (folder / "urlopy.txt").write_text("")
        assert sync(folder_source).counts["failed"] == 1
        document = Document.objects.get(uri=URI)
        assert (document.status, document.chunk_count) == (_Status.READY, 1)

    def test_only_the_last_twenty_reports_are_kept(self, folder_source: Source, sync: Sync) -> None:
        first = sync(folder_source)
        for _ in range(20):
            sync(folder_source)
        assert folder_source.reports.count() == 20
        assert not folder_source.reports.filter(pk=first.pk).exists()


class TestGoing:
    @pytest.fixture
    def gone(self, folder_source: Source, folder: Path, sync: Sync) -> Path:
        sync(folder_source)
        index_all()
        (folder / "urlopy.txt").unlink()
        return folder / "urlopy.txt"

    def test_a_document_that_is_gone_waits_for_a_decision(self, folder_source: Source, gone: Path, sync: Sync) -> None:
        assert sync(folder_source).counts["gone"] == 1
        assert Document.objects.get(uri=URI).status == _Status.READY
        assert sync(folder_source).counts["gone"] == 0  # it was told already
        assert confirm_gone(addresses=addresses(state=_State.WAITING)) == 1
        assert Document.objects.get(uri=URI).status == _Status.ARCHIVED

    def test_an_editor_may_keep_it(self, folder_source: Source, gone: Path, sync: Sync) -> None:
        sync(folder_source)
        assert keep_gone(addresses=addresses(state=_State.WAITING)) == 1
        sync(folder_source)
        assert Document.objects.get(uri=URI).status == _Status.READY
        assert addresses(state=_State.WAITING) == []

    def test_it_is_archived_at_once_where_that_is_wished(self, folder_source: Source, gone: Path, sync: Sync) -> None:
        Source.objects.update(gone_policy="archive")
        sync(folder_source)
        assert Document.objects.get(uri=URI).status == _Status.ARCHIVED

    def test_it_stays_where_that_is_wished(self, folder_source: Source, gone: Path, sync: Sync) -> None:
        Source.objects.update(gone_policy="keep")
        assert sync(folder_source).counts["gone"] == 1
        assert Document.objects.get(uri=URI).status == _Status.READY

    def test_it_comes_back_when_the_file_does(self, folder_source: Source, gone: Path, sync: Sync) -> None:
        Source.objects.update(gone_policy="archive")
        sync(folder_source)
        gone.write_text("Urlop trwa 26 dni.")
        assert sync(folder_source).counts["restored"] == 1
        index_all()
        document = Document.objects.get(uri=URI)
        assert (document.status, document.chunk_count) == (_Status.READY, 1)

    def test_what_an_editor_brought_back_is_not_archived_again(
        self, folder_source: Source, gone: Path, sync: Sync
    ) -> None:
        Source.objects.update(gone_policy="archive")
        sync(folder_source)
        restore_document(document=Document.objects.get(uri=URI))
        index_all()
        sync(folder_source)
        sync(folder_source)
        assert Document.objects.get(uri=URI).status == _Status.READY

    def test_a_folder_that_is_suddenly_empty_archives_nothing_by_itself(
        self, folder_source: Source, folder: Path, sync: Sync
    ) -> None:
        for number in range(20):
            (folder / f"{number}.txt").write_text(f"plik {number}")
        Source.objects.update(gone_policy="archive")
        sync(folder_source)
        for file in folder.iterdir():
            file.unlink()
        assert sync(folder_source).counts["gone"] == 22
        assert not Document.objects.filter(status=_Status.ARCHIVED).exists()
        assert SourceAddress.objects.filter(state=_State.WAITING).count() == 22

    def test_a_folder_that_is_away_is_a_failure_and_nothing_is_gone(
        self, folder_source: Source, folder: Path, sync: Sync
    ) -> None:
        sync(folder_source)
        folder.rename(folder.with_name("przeniesiony"))
        report = sync(folder_source)
        assert report.status == "failed"
        assert report.error
        assert report.counts["gone"] == 0
        assert report.job is not None
        assert report.job.status == Job.Status.FAILED

    def test_a_source_that_keeps_failing_is_announced_once_until_it_was_read_again(
        self, folder_source: Source, folder: Path, sync: Sync
    ) -> None:
        away = folder.with_name("przeniesiony")
        for number in (1, 2):
            folder.rename(away)
            sync(folder_source)
            assert sync(folder_source).status == "failed"
            assert Occurrence.objects.filter(event="source.failed", numbers=[folder_source.pk]).count() == number
            away.rename(folder)
            assert sync(folder_source).status == "succeeded"

    def test_a_pattern_that_leaves_out_later_makes_gone(self, folder_source: Source, sync: Sync) -> None:
        sync(folder_source)
        Source.objects.update(exclude=["urlopy*"])
        assert sync(folder_source).counts["gone"] == 1
        Source.objects.update(exclude=[])
        sync(folder_source)
        assert addresses(state=_State.WAITING) == []


class TestEditors:
    def test_what_an_editor_set_by_hand_stays(self, folder_source: Source, folder: Path, sync: Sync) -> None:
        sync(folder_source)
        Document.objects.filter(uri=URI).update(
            title="Regulamin urlopów", category="regulaminy", edited=["title", "category"], version="3"
        )
        (folder / "urlopy.txt").write_text("Urlop trwa teraz 30 dni.")
        folder_source.tags, folder_source.category = ["hr"], "kadry"
        save_source(source=folder_source)
        sync(folder_source)
        document = Document.objects.get(uri=URI)
        assert (document.title, document.category) == ("Regulamin urlopów", "regulaminy")
        assert (document.tags, document.version) == (["hr"], "3")
        assert Document.objects.exclude(uri=URI).get().category == "kadry"

    def test_a_deleted_document_stays_deleted_until_it_is_allowed_again(
        self, folder_source: Source, folder: Path, sync: Sync, django_capture_on_commit_callbacks: Any
    ) -> None:
        sync(folder_source)
        with django_capture_on_commit_callbacks(execute=True):
            delete_document(document=Document.objects.get(uri=URI))
        (folder / "urlopy.txt").write_text("Nowa treść.")
        report = sync(folder_source)
        assert report.counts["reasons"] == {"deleted": 1}
        assert sync(folder_source).counts["reasons"] == {"deleted": 1}
        assert not Document.objects.filter(uri=URI).exists()
        assert allow_again(addresses=addresses(uri=URI)) == 1
        assert sync(folder_source).counts["new"] == 1
        assert default_storage.exists(Document.objects.get(uri=URI).file.name)

    def test_a_document_that_an_editor_archived_stays_in_the_archive(
        self, folder_source: Source, folder: Path, sync: Sync
    ) -> None:
        sync(folder_source)
        archive_document(document=Document.objects.get(uri=URI))
        (folder / "urlopy.txt").write_text("Nowa treść.")
        assert sync(folder_source).counts["reasons"] == {"shelved": 1}
        assert Document.objects.get(uri=URI).status == _Status.ARCHIVED

    def test_a_document_of_another_source_is_left_to_it(self, folder_source: Source, folder: Path, sync: Sync) -> None:
        sync(folder_source)
        wider = Source.objects.create(
            collection=folder_source.collection, kind="folder", name="Wszystko", location=str(folder.parent)
        )
        (folder.parent / "statut.txt").write_text("Statut")
        report = sync(wider)
        assert (report.counts["new"], report.counts["reasons"]) == (1, {"taken": 2})
        assert Document.objects.get(uri=URI).source == folder_source

    def test_a_document_without_a_source_is_taken_over(self, folder_source: Source, sync: Sync) -> None:
        add_document(collection=folder_source.collection, name="urlopy.txt", content=b"x", uri=URI)
        assert sync(folder_source).counts["changed"] == 1
        assert Document.objects.get(uri=URI).source == folder_source
