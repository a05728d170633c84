"""A network drive through the real job: its rights are those of groups here, what is renamed stays what it was."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import Group, User

from ingestion.jobs import run_job
from ingestion.models import Collection, Document, Job, Source
from ingestion.selectors import visible_documents
from ingestion.services.sources import keep_secret
from knowledgetree.identity.models import DirectoryGroup
from tests.ingestion.syncing.conftest import Sync
from tests.smb_server import PASSWORD, SMBServer, descriptor, running_smb

pytestmark = pytest.mark.slow

READ = 0x1200A9
KADRY, OTHERS = "S-1-5-21-1-2-3-1101", "S-1-5-21-1-2-3-1102"


@pytest.fixture
def smb(tmp_path: Path) -> Iterator[SMBServer]:
    with running_smb(tmp_path) as opened:
        opened.write("urlopy.txt", b"Urlop trwa 26 dni.")
        opened.write("płace.txt", "Płace są tajne.".encode())
        opened.protect("urlopy.txt", descriptor(("allow", KADRY, READ, 0)))
        opened.protect("płace.txt", descriptor(("allow", OTHERS, READ, 0)))
        yield opened


@pytest.fixture
def source(public: Collection, smb: SMBServer) -> Source:
    made = Source(
        collection=public, kind="smb", name="Dysk", location=smb.location(), networks=["127.0.0.0/8"],
        options={"user": smb.account}, gone_policy="archive",
    )  # fmt: skip
    keep_secret(made, PASSWORD)
    made.save()
    return made


def test_those_read_whose_groups_the_files_let_read(source: Source, sync: Sync, employee: User) -> None:
    group = Group.objects.create(name="Kadry")
    DirectoryGroup.objects.create(name=KADRY, group=group)
    employee.groups.add(group)
    report = sync(source)
    for job in Job.objects.filter(kind="index_document", status="queued"):
        run_job(str(job.pk))
    assert {one.file_name for one in visible_documents(employee)} == {"urlopy.txt"}
    assert {one["uri"] for one in report.lists["unknown"]} == {OTHERS}


def test_what_is_renamed_and_changed_stays_the_same_document(source: Source, smb: SMBServer, sync: Sync) -> None:
    sync(source)
    before = Document.objects.get(uri__endswith="/urlopy.txt")
    (smb.folder / "urlopy.txt").rename(smb.folder / "kadry.txt")
    (smb.folder / "kadry.txt").write_text("Urlop trwa 27 dni.")
    counts = sync(source).counts
    after = Document.objects.get(uri__endswith="/kadry.txt")
    assert (after.pk, counts["changed"], counts["gone"], counts["unchanged"]) == (before.pk, 1, 0, 1)
