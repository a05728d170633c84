"""A source, and its synchronisation through the real job."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from ingestion.jobs import run_job
from ingestion.models import Collection, Job, Source, SyncReport
from ingestion.services.sources import keep_secret, start_sync
from tests.web_site import WebSite
from tests.webdav_server import ACCOUNT, PASSWORD, WebDAVServer

Sync = Callable[[Source], SyncReport]


@pytest.fixture
def sync(db: None) -> Sync:
    """Synchronise to the end, slice by slice, without waiting after failures; the report."""

    def run(source: Source) -> SyncReport:
        job = start_sync(source=source, queue=False)
        while job.status in (Job.Status.QUEUED, Job.Status.RUNNING):
            Job.objects.filter(pk=job.pk).update(due=None)
            run_job(str(job.pk))
            job.refresh_from_db()
        return SyncReport.objects.get(job=job)

    return run


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    """An allowed folder with two files."""
    root = tmp_path / "pliki"
    (root / "kadry").mkdir(parents=True)
    (root / "kadry" / "urlopy.txt").write_text("Urlop trwa 26 dni.")
    (root / "kadry" / "delegacje.txt").write_text("Dieta wynosi 45 zł.")
    settings.RAG = {**settings.RAG, "ingestion": {**settings.RAG["ingestion"], "folders": [str(root)]}}
    return root / "kadry"


@pytest.fixture
def folder_source(public: Collection, folder: Path) -> Source:
    return Source.objects.create(collection=public, kind="folder", name="Kadry", location=str(folder))


@pytest.fixture
def reach(settings: Settings) -> Callable[[WebSite], None]:
    """Let this server read a site on 127.0.0.1."""

    def allow(site: WebSite) -> None:
        allowed = {"allowed_networks": ["127.0.0.0/8"], "ports": [site.port], "seconds": 2.0}
        settings.RAG = {**settings.RAG, "fetching": allowed}

    return allow


def site_source(site: WebSite, collection: Collection, path: str = "/", **fields: Any) -> Source:
    fields = {"kind": "site", "delay": 0.0, "name": "Strona", **fields}
    return Source.objects.create(collection=collection, location=site.url + path, **fields)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[WebDAVServer]:
    """A place of another program, with two files."""
    folder = tmp_path / "dysk"
    folder.mkdir()
    (folder / "urlopy.txt").write_text("Urlop trwa 26 dni.")
    (folder / "delegacje.txt").write_text("Dieta wynosi 45 zł.")
    with WebDAVServer(folder) as opened:
        yield opened


@pytest.fixture
def source(public: Collection, server: WebDAVServer) -> Source:
    return drive_source(server, public)


def drive_source(server: WebDAVServer, collection: Collection) -> Source:
    made = Source(
        collection=collection, kind="webdav", name="Dysk", location=server.location,
        options={"user": ACCOUNT, "key": ""}, networks=["127.0.0.0/8"], gone_policy="archive", mirror_rights=False,
    )  # fmt: skip
    keep_secret(made, PASSWORD)
    made.save()
    return made
