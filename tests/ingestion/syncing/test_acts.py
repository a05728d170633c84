"""Acts of the Sejm through the real job: valid as the service tells."""

from collections.abc import Iterator
from datetime import date

import pytest

from ingestion.models import Collection, Document, Source
from tests.eli_server import ELIServer, act
from tests.ingestion.syncing.conftest import Sync


@pytest.fixture
def server() -> Iterator[ELIServer]:
    with ELIServer() as opened:
        yield opened


def test_a_repeal_reaches_the_document_though_its_text_is_the_same(
    public: Collection, server: ELIServer, sync: Sync
) -> None:
    text = b"Ustawa o lasach. Art. 1. Las jest wspolny."
    server.publish(act("DU/2024/1", title="Ustawa o lasach"), text=text)
    location = f"{server.url}/eli/acts/DU/2024"
    source = Source.objects.create(
        collection=public, kind="eli", name="Ustawy", location=location, networks=["127.0.0.0/8"]
    )
    assert sync(source).counts["new"] == 1
    document = Document.objects.get()
    assert (document.title, document.file_name, document.uri) == (
        "Ustawa o lasach", "DU-2024-1.pdf", f"{location}/1/text.pdf",
    )  # fmt: skip
    assert (document.valid_from, document.valid_to, document.metadata["eli"]) == (date(2024, 2, 1), None, "DU/2024/1")
    assert sync(source).counts["unchanged"] == 1
    repealed = {"status": "uchylony", "repealDate": "2026-03-01", "changeDate": "2026-02-01T08:00:00"}
    server.publish(act("DU/2024/1", title="Ustawa o lasach", **repealed), text=text)
    assert sync(source).counts["changed"] == 1
    document.refresh_from_db()
    assert (document.valid_to, document.metadata["status"]) == (date(2026, 2, 28), "uchylony")
    assert document.versions.count() <= 1
