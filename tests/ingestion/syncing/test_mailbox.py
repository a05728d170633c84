"""A mailbox through the real job: messages and attachments come, go and have their readers."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User

from ingestion.jobs import run_job
from ingestion.models import Collection, Document, Job, Source
from ingestion.selectors import visible_documents
from ingestion.services.sources import keep_secret
from tests.ingestion.syncing.conftest import Sync
from tests.mail_server import ACCOUNT, PASSWORD, MailServer, message, running_mail_server


@pytest.fixture(scope="module")
def running() -> Iterator[MailServer]:
    with running_mail_server() as server:
        yield server


@pytest.fixture
def source(public: Collection, running: MailServer) -> Source:
    running.empty()
    options = {"user": ACCOUNT, "grouping": "", "attachments": "own", "readers": "", "key": ""}
    made = Source(
        collection=public, kind="imap", name="Poczta", location=f"{running.location}INBOX", options=options,
        networks=["127.0.0.0/8"], gone_policy="erase", mirror_rights=True,
    )  # fmt: skip
    keep_secret(made, PASSWORD)
    made.save()
    return made


def test_messages_come_and_go_with_what_is_attached(source: Source, running: MailServer, sync: Sync) -> None:
    owner = User.objects.create_user("kadry", email=ACCOUNT)
    other = User.objects.create_user("inny")
    sent = message("Urlopy w 2026", "Regulamin w załączniku.")
    sent.add_attachment("Urlop trwa 26 dni.", filename="regulamin.txt")
    running.deliver(sent)
    running.deliver(message("Dieta", "Dieta wynosi 45 zł."))
    assert sync(source).counts["new"] == 3
    for job in Job.objects.filter(kind="index_document", status="queued"):
        run_job(str(job.pk))
    assert set(Document.objects.values_list("title", flat=True)) == {"Urlopy w 2026", "Dieta", "regulamin"}
    assert "26 dni" not in "".join(Document.objects.get(title="Urlopy w 2026").chunks.values_list("text", flat=True))
    assert visible_documents(owner).count() == 3
    assert not visible_documents(other).exists()
    source.refresh_from_db()
    assert source.cursor
    running.mark_deleted("Urlopy")
    report = sync(source)
    assert (report.counts["gone"], report.counts["unchanged"]) == (2, 0)
    assert Document.objects.get().title == "Dieta"
