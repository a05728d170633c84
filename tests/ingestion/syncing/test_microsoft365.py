"""A library of SharePoint through the real job: what changed is read, what is gone goes, its readers read here."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import Group, User
from pytest_django import Settings

from ingestion.models import Collection, Document, DocumentVersion, Source, SyncReport
from ingestion.selectors import visible_documents
from ingestion.services.sources import keep_secret, save_source
from ingestion.services.syncing.syncing import synchronise
from ingestion.sources.types import never
from knowledgetree.identity.models import DirectoryGroup
from tests.graph_server import CLIENT, SECRET, SITE, TENANT, GraphServer, make_certificate, trusting
from tests.ingestion.syncing.conftest import Sync
from tests.web_site import Page

pytest.importorskip("msal", reason="MSAL is not installed")

FILES = 8


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = make_certificate(tmp_path_factory.mktemp("tls"))
    with trusting(path):
        yield path


@pytest.fixture
def graph(certificate: Path) -> Iterator[GraphServer]:
    with GraphServer(certificate) as opened:
        for number in range(FILES):
            opened.put(f"Akta/{number}.txt", f"Akt {number}".encode())
        yield opened


@pytest.fixture
def source(public: Collection, graph: GraphServer) -> Source:
    made = Source(
        collection=public, kind="microsoft365", name="Kadry", location=SITE, networks=["127.0.0.0/8"],
        options={"tenant": TENANT, "client": CLIENT, "login": graph.url}, gone_policy="archive", mirror_rights=False,
    )  # fmt: skip
    keep_secret(made, SECRET)
    made.save()
    return made


def test_what_came_moved_and_went_is_done_by_changes_alone(source: Source, graph: GraphServer, sync: Sync) -> None:
    assert sync(source).counts["new"] == FILES
    before = Document.objects.get(uri=f"{SITE}/Shared Documents/Akta/0.txt")
    graph.move("Akta/0.txt", "Nowe/zero.txt")
    graph.put("Akta/1.txt", b"Akt zmieniony")
    graph.take_away("Akta/2.txt")
    counts = sync(source).counts
    assert [counts[name] for name in ("new", "changed", "gone", "unchanged")] == [0, 2, 1, 0]
    before.refresh_from_db()
    assert before.uri == f"{SITE}/Shared Documents/Nowe/zero.txt"
    assert Document.objects.filter(status="archived").get().uri.endswith("/Akta/2.txt")
    assert sync(source).counts["unchanged"] == 0


def test_a_folder_that_is_renamed_takes_its_documents_along(source: Source, graph: GraphServer, sync: Sync) -> None:
    sync(source)
    numbers = set(Document.objects.values_list("pk", flat=True))
    graph.move("Akta", "Archiwum")
    counts = sync(source).counts
    assert (counts["changed"], counts["gone"]) == (FILES, 0)
    assert set(Document.objects.values_list("pk", flat=True)) == numbers
    assert DocumentVersion.objects.count() == FILES


def test_an_archive_that_is_gone_takes_what_is_in_it_along(source: Source, graph: GraphServer, sync: Sync) -> None:
    """By the changes alone, which name it by its identifier."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("umowa.txt", "Umowa najmu.")
    graph.put("Akta/umowy.zip", packed.getvalue())
    assert sync(source).counts["new"] == FILES + 1
    graph.take_away("Akta/umowy.zip")
    assert sync(source).counts["gone"] == 1
    assert Document.objects.get(status="archived").uri.endswith("/umowy.zip!umowa.txt")


def test_an_access_that_ends_midway_loses_nothing_and_what_changed_is_told_again(
    source: Source, graph: GraphServer, sync: Sync
) -> None:
    sync(source)
    source.refresh_from_db()
    cursor = source.cursor
    for number in range(4):
        graph.put(f"Akta/{number}.txt", b"Inny akt %d" % number)
    read = iter(range(2))
    graph.says = lambda path: Page(status=403) if path.endswith("content") and next(read, None) is None else None
    counts = sync(source).counts
    assert (counts["changed"], counts["failed"], counts["gone"]) == (2, 2, 0)
    source.refresh_from_db()
    assert source.cursor == cursor
    graph.says = lambda path: None
    counts = sync(source).counts
    assert (counts["changed"], counts["unchanged"]) == (2, 2)
    assert Document.objects.count() == FILES


def test_a_run_that_dies_midway_begins_again_at_the_same_changes(
    source: Source, graph: GraphServer, sync: Sync
) -> None:
    sync(source)
    source.refresh_from_db()
    moved = Document.objects.get(uri__endswith="/2.txt")
    for number in range(2):
        graph.put(f"Akta/{number}.txt", b"Inny akt %d" % number)
    graph.move("Akta/2.txt", "dwa.txt")
    graph.take_away("Akta/3.txt")

    def die(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        synchronise(report=SyncReport.objects.create(source=source), stopped=never, progress=die)
    assert DocumentVersion.objects.count() == FILES + 2
    counts = sync(source).counts
    assert [counts[name] for name in ("new", "changed", "unchanged", "gone")] == [0, 1, 2, 1]
    assert (Document.objects.count(), DocumentVersion.objects.count()) == (FILES, FILES + 2)
    moved.refresh_from_db()
    assert moved.uri == f"{SITE}/Shared Documents/dwa.txt"


def test_those_read_whom_the_library_lets_read(source: Source, graph: GraphServer, sync: Sync, employee: User) -> None:
    Source.objects.update(options={**source.options, "asking": "changed"})
    source.refresh_from_db()
    sync(source)
    assert visible_documents(employee).count() == FILES
    group = Group.objects.create(name="Kadry")
    DirectoryGroup.objects.create(name="/sites/kadry/Członkowie", group=group)
    employee.groups.add(group)
    graph.share("Akta/1.txt", {"roles": ["read"], "grantedToV2": {"siteGroup": {"displayName": "Członkowie"}}})
    source.refresh_from_db()
    source.mirror_rights = True
    save_source(source=source)
    sync(source)
    assert [one.uri for one in visible_documents(employee)] == [f"{SITE}/Shared Documents/Akta/1.txt"]
    graph.share("Akta/1.txt", {"roles": ["read"], "grantedToV2": {"user": {"email": "obca@firma.pl"}}})
    report = sync(source)
    assert not visible_documents(employee).exists()
    assert [one["uri"] for one in report.lists["unknown"]] == ["obca@firma.pl"]
    assert sync(source).lists == {"unknown": report.lists["unknown"]}
    newcomer = User.objects.create_user("obca", email="obca@firma.pl")
    assert "unknown" not in sync(source).lists
    assert visible_documents(newcomer).count() == 1


def test_a_file_that_is_too_large_holds_up_nothing_and_comes_when_the_limit_is_raised(
    source: Source, graph: GraphServer, sync: Sync, settings: Settings
) -> None:
    graph.put("film.txt", b"x" * 300)
    settings.RAG = {**settings.RAG, "ingestion": {**settings.RAG["ingestion"], "max_bytes": 200}}
    counts = sync(source).counts
    assert (counts["new"], counts["failed"]) == (FILES, 1)
    assert sync(source).counts == {**counts, "new": 0, "failed": 0}
    settings.RAG = {**settings.RAG, "ingestion": {**settings.RAG["ingestion"], "max_bytes": 400}}
    assert sync(source).counts["new"] == 1
