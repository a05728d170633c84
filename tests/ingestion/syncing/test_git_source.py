"""A place with a cursor through the real job: what did not change since then costs nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ingestion.models import Collection, Document, Source, SourceAddress
from ingestion.services.documents import delete_document
from ingestion.services.sources import keep_secret
from ingestion.services.syncing.decisions import allow_again
from tests.git_server import TOKEN, GitServer
from tests.ingestion.syncing.conftest import Sync

pytest.importorskip("dulwich", reason="the extra `connectors` is not installed")
pytestmark = pytest.mark.slow


@pytest.fixture
def git(tmp_path: Path) -> Iterator[GitServer]:
    with GitServer(tmp_path) as opened:
        opened.commit({"urlopy.md": b"# Urlopy\n", "delegacje.md": b"# Delegacje\n", "kadry/praca.md": b"# Praca\n"})
        yield opened


@pytest.fixture
def source(public: Collection, git: GitServer) -> Source:
    made = Source(
        collection=public, kind="git", name="Regulaminy", location=git.location, networks=["127.0.0.0/8"],
        gone_policy="archive",
    )  # fmt: skip
    keep_secret(made, TOKEN)
    made.save()
    return made


def sync_again(source: Source, sync: Sync) -> dict[str, int]:
    """The numbers that are not zero."""
    source.refresh_from_db()
    return {name: number for name, number in sync(source).counts.items() if number and name != "reasons"}


def test_a_branch_is_followed_from_commit_to_commit(source: Source, git: GitServer, sync: Sync) -> None:
    assert sync_again(source, sync) == {"new": 3}
    asked = len(git.requests)
    assert sync_again(source, sync) == {}
    assert len(git.requests) == asked + 2
    git.commit({"urlopy.md": b"# Urlopy i zwolnienia\n", "delegacje.md": None, "nowy.md": b"# Nowy\n"})
    assert sync_again(source, sync) == {"new": 1, "changed": 1, "gone": 1, "unchanged": 1}
    assert Document.objects.get(uri__endswith="/delegacje.md").status == Document.Status.ARCHIVED
    assert Document.objects.get(uri__endswith="/urlopy.md").versions.count() == 2


def test_what_an_editor_allows_again_comes_though_nothing_changed(source: Source, git: GitServer, sync: Sync) -> None:
    sync_again(source, sync)
    delete_document(document=Document.objects.get(uri__endswith="/urlopy.md"))
    assert sync_again(source, sync) == {}
    assert allow_again(addresses=SourceAddress.objects.filter(document=None)) == 1
    assert sync_again(source, sync) == {"new": 1, "unchanged": 2}
