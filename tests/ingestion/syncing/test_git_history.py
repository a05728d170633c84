"""What a repository had before the first synchronisation, and between two: each commit is a version, once."""

import io
import os
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from openpyxl import Workbook
from pytest_django import Settings

from ingestion.jobs import recover_jobs, run_job
from ingestion.models import Chunk, Collection, Document, DocumentVersion, Job, Source, SourceAddress, SyncReport
from ingestion.services.comparing import text_of
from ingestion.services.documents import restore_version
from ingestion.services.sources import keep_secret, start_sync
from rag.services.search import search_passages
from rag.types import Filters
from tests.git_server import TOKEN, GitServer
from tests.ingestion.syncing.conftest import Sync
from tests.ingestion.syncing.worker_process import start_worker
from tests.installation import wait_until

pytest.importorskip("dulwich", reason="the extra `connectors` is not installed")
pytestmark = pytest.mark.slow

DAYS = (20, 24, 26)
DATES = ("2024-01-10", "2024-03-05", "2024-06-01")


def leave(days: int) -> bytes:
    return f"# Urlop\n\nPo dziesięciu latach pracy przysługuje {days} dni urlopu.\n".encode()


@pytest.fixture
def git(tmp_path: Path) -> Iterator[GitServer]:
    with GitServer(tmp_path) as opened:
        for days, on in zip(DAYS, DATES, strict=True):
            opened.commit({"urlop.md": leave(days)}, on=on, message=f"Urlop: {days} dni")
        yield opened


def git_source(git: GitServer, collection: Collection, **options: str) -> Source:
    made = Source(
        collection=collection, kind="git", name="Regulaminy", location=git.location, networks=["127.0.0.0/8"],
        gone_policy="archive", options=options,
    )  # fmt: skip
    keep_secret(made, TOKEN)
    made.save()
    return made


@pytest.fixture
def source(public: Collection, git: GitServer) -> Source:
    return git_source(git, public)


def read(source: Source, sync: Sync) -> dict[str, int]:
    """The numbers that are not zero; everything is indexed then."""
    source.refresh_from_db()
    counts = sync(source).counts
    for job in Job.objects.filter(kind="index_document", status="queued"):
        run_job(str(job.pk))
    return {name: number for name, number in counts.items() if number and name != "reasons"}


def versions(end: str = "/urlop.md") -> list[DocumentVersion]:
    return list(DocumentVersion.objects.filter(document__uri__endswith=end).order_by("number"))


def contents(end: str = "/urlop.md") -> list[str]:
    return [version.file.read().decode() for version in versions(end)]


def said(*days: int) -> list[str]:
    return [leave(number).decode() for number in days]


class TestTheFirstTime:
    def test_what_the_file_was_becomes_its_versions(self, source: Source, sync: Sync) -> None:
        assert read(source, sync) == {"new": 1}
        told = versions()
        assert [(one.number, one.created.date().isoformat(), one.note) for one in told] == [
            (number, on, f"Anna Kadrowa: Urlop: {days} dni")
            for number, (days, on) in enumerate(zip(DAYS, DATES, strict=True), start=1)
        ]
        assert contents() == said(*DAYS)
        assert [text_of(one) is not None for one in told] == [True] * 3
        first, second = date(2024, 1, 10), date(2024, 3, 5)
        day = timedelta(days=1)
        assert [(one.valid_from, one.valid_to) for one in told] == [
            (first, second - day), (second, date(2024, 6, 1) - day), (None, None)
        ]  # fmt: skip

    def test_today_finds_the_last_one_alone_and_a_day_what_was_said_then(self, source: Source, sync: Sync) -> None:
        read(source, sync)
        assert found("Ile dni urlopu po dziesięciu latach?") == ["26"]
        assert found("Ile dni urlopu po dziesięciu latach?", valid_on=date(2024, 4, 1)) == ["24"]
        assert found("Ile dni urlopu po dziesięciu latach?", valid_on=date(2024, 1, 10)) == ["20"]
        assert found("Ile dni urlopu po dziesięciu latach?", valid_on=date(2023, 1, 1)) == []

    def test_again_costs_nothing_and_brings_nothing(self, source: Source, git: GitServer, sync: Sync) -> None:
        read(source, sync)
        before = list(DocumentVersion.objects.values())
        Source.objects.update(cursor="")
        assert read(source, sync) == {"unchanged": 1}
        assert list(DocumentVersion.objects.values()) == before

    @pytest.mark.parametrize(
        ("wanted", "kept"), [("0", (26,)), ("1", (24, 26)), ("2024-03-05", (24, 26)), ("2024-03-06", (24, 26))]
    )
    def test_as_many_come_as_the_source_says(
        self, public: Collection, git: GitServer, sync: Sync, wanted: str, kept: tuple[int, ...]
    ) -> None:
        read(git_source(git, public, history=wanted), sync)
        assert contents() == said(*kept)

    def test_and_no_more_than_are_kept(self, source: Source, sync: Sync, settings: Settings) -> None:
        settings.RAG = {**settings.RAG, "ingestion": {**settings.RAG["ingestion"], "kept_versions": 1}}
        read(source, sync)
        assert contents() == said(24, 26)

    @pytest.mark.parametrize("gives_parts", ["true", "false"])
    def test_a_file_is_followed_through_its_names(
        self, source: Source, git: GitServer, sync: Sync, gives_parts: str
    ) -> None:
        """Renamed with its folder, then renamed and changed in one commit."""
        git.configure("uploadpack.allowFilter", gives_parts)
        git.commit(moved={"urlop.md": "kadry/urlop.md"}, on="2024-07-01")
        changed = leave(26) + b"\nWniosek podpisuje kierownik.\n"
        git.commit({"kadry/urlopy.md": changed, "kadry/urlop.md": None}, on="2024-08-01")
        assert read(source, sync) == {"new": 1}
        assert contents("/kadry/urlopy.md") == [*said(*DAYS), changed.decode()]
        assert [one.file_name for one in versions("/kadry/urlopy.md")] == ["urlop.md"] * 3 + ["urlopy.md"]

    def test_what_the_source_leaves_out_is_left_out_of_the_past_too(
        self, source: Source, git: GitServer, sync: Sync
    ) -> None:
        git.commit(moved={"urlop.md": "tajne.md"}, on="2024-07-01")
        git.commit({"tajne.md": leave(27)}, on="2024-08-01")
        git.commit(moved={"tajne.md": "jawne.md"}, on="2024-09-01")
        git.commit({"jawne.md": leave(28)}, on="2024-10-01")
        Source.objects.update(exclude=["tajne*"])
        assert read(source, sync) == {"new": 1}
        assert contents("/jawne.md") == said(28)

    def test_what_was_merged_comes_with_the_merge(self, source: Source, git: GitServer, sync: Sync) -> None:
        git.commit({"urlop.md": leave(26)}, branch="projekt", on="2024-06-10")
        git.commit({"urlop.md": leave(27)}, branch="projekt", on="2024-06-20")
        git.commit({"urlop.md": leave(28)}, branch="projekt", on="2024-06-25")
        git.commit({"urlop.md": leave(28)}, merged="projekt", on="2024-07-01", message="Zatwierdzony projekt")
        read(source, sync)
        assert contents() == said(*DAYS, 28)
        assert versions()[-1].note == "Anna Kadrowa: Zatwierdzony projekt"

    def test_pointers_to_large_files_and_empty_ones_are_no_versions(
        self, source: Source, git: GitServer, sync: Sync
    ) -> None:
        git.commit({"urlop.md": b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n"})
        git.commit({"urlop.md": b""})
        git.commit({"urlop.md": leave(30)}, on="2024-12-01")
        read(source, sync)
        assert contents() == said(*DAYS, 30)

    def test_what_cannot_be_read_is_a_version_all_the_same(self, source: Source, git: GitServer, sync: Sync) -> None:
        sheet, whole = Workbook(), io.BytesIO()
        sheet.active.append(["stawka", 45])  # type: ignore[union-attr]
        sheet.save(whole)
        git.commit({"stawki.xlsx": b"PK\x03\x04 to nie jest arkusz"}, on="2024-07-01")
        git.commit({"stawki.xlsx": whole.getvalue()}, on="2024-08-01")
        read(source, sync)
        told = versions("/stawki.xlsx")
        assert [(one.extractor, text_of(one) is None) for one in told] == [
            (DocumentVersion.NOTHING_READ, True), ("", False)
        ]  # fmt: skip


class TestBetweenTwo:
    def test_each_commit_is_a_version(self, source: Source, git: GitServer, sync: Sync) -> None:
        read(source, sync)
        git.commit({"urlop.md": leave(27)}, on="2024-07-01")
        git.commit({"inny.md": b"# Inny\n"}, on="2024-07-02")
        git.commit({"urlop.md": leave(28)}, on="2024-08-01")
        assert read(source, sync) == {"new": 1, "changed": 1}
        assert contents() == said(*DAYS, 27, 28)
        assert found("Ile dni urlopu po dziesięciu latach?", valid_on=date(2024, 7, 10)) == ["27"]
        assert read(source, sync) == {}

    def test_even_where_it_came_back_to_what_it_was(self, source: Source, git: GitServer, sync: Sync) -> None:
        read(source, sync)
        git.commit({"urlop.md": leave(99)}, on="2024-07-01", message="Pomyłka")
        git.commit({"urlop.md": leave(26)}, on="2024-07-03", message="Cofnięcie pomyłki")
        assert read(source, sync) == {"changed": 1}
        assert contents() == said(*DAYS, 99, 26)
        document = Document.objects.get()
        assert document.checksum == versions()[-1].checksum
        assert found("Ile dni urlopu po dziesięciu latach?") == ["26"]
        Source.objects.update(cursor="")
        assert read(source, sync) == {"unchanged": 1}
        assert len(versions()) == 5

    def test_what_was_renamed_and_changed_at_once_is_the_same_document(
        self, source: Source, git: GitServer, sync: Sync
    ) -> None:
        read(source, sync)
        before = Document.objects.get()
        rest = b"".join(b"\n%d. Wniosek sk\xc5\x82ada si\xc4\x99 przed urlopem.\n" % number for number in range(9))
        git.commit({"urlop.md": leave(27) + rest}, on="2024-07-01")
        git.commit({"urlopy.md": leave(28) + rest, "urlop.md": None}, on="2024-08-01")
        assert read(source, sync) == {"changed": 1}
        after = Document.objects.get()
        assert (after.pk, after.uri) == (before.pk, f"{source.location}/urlopy.md")
        assert contents("/urlopy.md") == [*said(*DAYS), *((leave(days) + rest).decode() for days in (27, 28))]

    def test_more_commits_than_are_kept_bring_the_last_ones(
        self, source: Source, git: GitServer, sync: Sync, settings: Settings
    ) -> None:
        settings.RAG = {**settings.RAG, "ingestion": {**settings.RAG["ingestion"], "kept_versions": 3}}
        read(source, sync)
        for number in range(30, 40):
            git.commit({"urlop.md": leave(number)}, on=f"2024-07-{number - 20}")
        assert read(source, sync) == {"changed": 1}
        assert contents() == said(36, 37, 38, 39)

    def test_what_an_editor_restored_is_a_version_between(self, source: Source, git: GitServer, sync: Sync) -> None:
        read(source, sync)
        job = restore_version(version=versions()[0], author=None)
        run_job(str(job.pk))
        assert read(source, sync) == {}
        git.commit({"urlop.md": leave(27)}, on=timezone.localdate().isoformat())
        read(source, sync)
        assert contents() == said(*DAYS, 20, 27)


class TestRewritten:
    def test_a_past_that_both_have_is_not_told_twice(self, source: Source, git: GitServer, sync: Sync) -> None:
        read(source, sync)
        base = versions()[1].revision
        git.commit({"urlop.md": leave(25)}, on="2024-06-02", after=base)
        git.commit({"urlop.md": leave(29)}, on="2024-06-03")
        assert read(source, sync) == {"changed": 1}
        assert contents() == said(*DAYS, 25, 29)
        assert read(source, sync) == {}

    def test_the_same_contents_in_other_commits_are_no_versions(
        self, source: Source, git: GitServer, sync: Sync
    ) -> None:
        """As after `git filter-repo`, or a rebase."""
        read(source, sync)
        git.commit({"LICENCJA.md": b"# Licencja\n"}, branch="nowa", on="2024-01-01")
        for days, on in zip(DAYS, DATES, strict=True):
            git.commit({"urlop.md": leave(days)}, branch="nowa", on=on, message="przepisane")
        Source.objects.update(options={"branch": "nowa"})
        before = list(DocumentVersion.objects.values())
        assert read(source, sync) == {"new": 1, "unchanged": 1}
        assert list(DocumentVersion.objects.exclude(document__uri__endswith="/LICENCJA.md").values()) == before
        git.commit({"urlop.md": leave(27)}, branch="nowa", on="2024-07-01")
        read(source, sync)
        assert contents() == said(*DAYS, 27)

    def test_a_branch_that_goes_back_keeps_what_was(self, source: Source, git: GitServer, sync: Sync) -> None:
        read(source, sync)
        git.commit({"inny.md": b"# Inny\n"}, after=versions()[0].revision)
        read(source, sync)
        assert contents() == said(*DAYS, 20)
        assert versions()[-1].revision == ""
        assert [one.revision != "" for one in versions()] == [True] * 3 + [False]

    def test_another_past_altogether_brings_its_last_state_alone(
        self, source: Source, git: GitServer, sync: Sync
    ) -> None:
        read(source, sync)
        for number in (1, 2, 3):
            git.commit({"urlop.md": leave(number)}, branch="inna", on=f"2023-01-0{number}")
        Source.objects.update(options={"branch": "inna"})
        read(source, sync)
        assert contents() == said(*DAYS, 3)
        assert versions()[-1].created >= versions()[-2].created


def test_a_killed_worker_doubles_no_version(transactional_db: None, git: GitServer) -> None:
    for number in range(12):
        for on in ("2024-01-01", "2024-02-01", "2024-03-01"):
            git.commit({f"{number}.md": f"# Akt {number}\n\nStan z {on}.\n".encode()}, on=on)
    public = Collection.objects.create(name="Publiczna", slug="publiczna", visibility="public")
    job = start_sync(source=git_source(git, public), queue=False)
    process = start_worker(job)
    try:
        wait_until(lambda: Document.objects.count() >= 3 or process.poll() is not None, seconds=60)
    finally:
        process.kill()
        process.wait()
    whole = dict.fromkeys(Document.objects.values_list("pk", flat=True), 3)
    assert {number: Document.objects.get(pk=number).versions.count() for number in whole} == whole
    Job.objects.filter(pk=job.pk).update(heartbeat=timezone.now() - timedelta(hours=1))
    recover_jobs()
    run_job(str(job.pk))
    assert (Document.objects.count(), SourceAddress.objects.count()) == (13, 13)
    assert DocumentVersion.objects.count() == 13 * 3


@pytest.mark.parametrize("gives_parts", ["true", "false"])
def test_a_past_that_is_too_large_holds_up_no_files(
    source: Source, git: GitServer, sync: Sync, monkeypatch: pytest.MonkeyPatch, gives_parts: str
) -> None:
    """Where the server gives contents one by one, what may come comes."""
    git.configure("uploadpack.allowFilter", gives_parts)
    texts = [os.urandom(6000).hex().encode() for _number in range(4)]
    for month, text in enumerate(texts, start=1):
        git.commit({"duży.txt": text}, on=f"2024-0{month}-01")
    monkeypatch.setattr("ingestion.sources.connectors.git.client.MAX_PACK_BYTES", 20_000)
    report = sync(source)
    assert (report.status, report.counts["new"]) == ("succeeded", 2)
    assert report.counts["failed"] == (gives_parts == "false")
    assert len(versions("/duży.txt")) == (4 if gives_parts == "true" else 1)
    source.refresh_from_db()
    assert source.cursor


def test_what_is_erased_is_erased_with_its_past(source: Source, git: GitServer, sync: Sync) -> None:
    Source.objects.update(gone_policy="erase")
    read(source, sync)
    uri = Document.objects.get().uri
    with pytest.raises(CommandError):
        call_command("prove_gone", "nic-takiego", "--text", "przysługuje 20 dni")
    git.commit({"urlop.md": None, "inny.md": b"# Inny\n"})
    assert read(source, sync) == {"new": 1, "gone": 1}
    for days in DAYS:
        call_command("prove_gone", uri, "--text", f"przysługuje {days} dni", verbosity=0)


def test_an_editor_sees_who_changed_it_and_why(source: Source, sync: Sync, admin_client: Client) -> None:
    read(source, sync)
    page = admin_client.get(reverse("admin:ingestion_document_change", args=[Document.objects.get().pk]))
    assert "Anna Kadrowa: Urlop: 24 dni" in page.content.decode()


class TestPage:
    @pytest.mark.parametrize("wanted", ["wszystkie", "-1", "2024-13-01", "2024"])
    def test_a_past_that_is_neither_number_nor_day_is_refused(
        self, source: Source, admin_client: Client, wanted: str
    ) -> None:
        given = {"connection": {"history": wanted}}
        answer = admin_client.patch(f"/api/sources/{source.pk}", given, "application/json")
        assert (answer.status_code, [error["field"] for error in answer.json()["errors"]]) == (400, ["history"])

    def test_it_says_what_is_read_and_by_which_key(
        self, public: Collection, git: GitServer, admin_client: Client
    ) -> None:
        source = git_source(git, public, folder="docs", history="5")
        Source.objects.update(exclude=["*.tmp"])
        page = admin_client.get(reverse("admin:ingestion_source_change", args=[source.pk])).content.decode()
        for words in (
            "co można tam odczytać z jego kluczem",
            "folder: docs",
            "wcześniejsze wersje: 5",
            "pomijaj: *.tmp",
        ):
            assert words in page

    def test_a_report_says_where_a_document_was(
        self, source: Source, git: GitServer, sync: Sync, admin_client: Client
    ) -> None:
        read(source, sync)
        git.move("urlop.md", "kadry/urlop.md")
        read(source, sync)
        assert set(Document.of_all_times.values_list("uri", flat=True)) == {f"{source.location}/kadry/urlop.md"}
        report = SyncReport.objects.latest("pk")
        page = admin_client.get(reverse("admin:ingestion_syncreport_change", args=[report.pk])).content.decode()
        assert f"wcześniej pod adresem {source.location}/urlop.md" in page


def test_nobody_reads_a_version_of_what_they_may_not_read(
    git: GitServer, restricted: Collection, sync: Sync, employee: User
) -> None:
    read(git_source(git, restricted), sync)
    assert Chunk.objects.count() == 3
    assert found("Ile dni urlopu?", valid_on=date(2024, 4, 1), viewer=employee) == []


def found(question: str, viewer: Any = None, **filters: Any) -> list[str]:
    """The numbers of days that are found."""
    told = search_passages(query=question, viewer=viewer or AnonymousUser(), filters=Filters(**filters))
    return [word for passage in told.passages for word in passage.text.split() if word.isdigit()]
