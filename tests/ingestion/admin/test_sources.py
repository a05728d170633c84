"""The pages of sources: settings in plain fields, reports, decisions."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from ingestion.models import Collection, Document, Job, Source, SourceAddress, SyncReport
from ingestion.services.documents import add_document
from tests.ingestion.api.library import Library

ADD = reverse("admin:ingestion_source_add")


@pytest.fixture
def client(library: Library) -> Client:
    return library.client("superuser")


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    folder = tmp_path / "pliki"
    folder.mkdir()
    settings.RAG = {**settings.RAG, "ingestion": {**settings.RAG["ingestion"], "folders": [str(folder)]}}
    return folder


def form(collection: Collection, **fields: Any) -> dict[str, Any]:
    return {
        "name": "Źródło", "collection": collection.pk, "kind": "folder", "location": "", "include": "", "exclude": "",
        "max_pages": 500, "max_depth": 5, "delay": "1.0", "obey_robots": "on", "category": "", "tags": "",
        "language": "pl", "gone_policy": "confirm", "rhythm": "", "schedule": "", **fields,
    }  # fmt: skip


def errors(client: Client, library: Library, **fields: Any) -> dict[str, list[str]]:
    response = client.post(ADD, form(library.collections["public"], **fields))
    assert response.status_code == 200
    return dict(response.context["adminform"].form.errors)


class TestTheForm:
    def test_a_folder_with_patterns_is_kept(self, client: Client, library: Library, folder: Path) -> None:
        wanted = form(
            library.collections["public"],
            location=str(folder),
            include="*.pdf\n\n *.docx ",
            tags="a, b",
            rhythm="daily",
        )
        assert client.post(ADD, wanted).status_code == 302
        source = Source.objects.get()
        assert (source.include, source.tags, source.rhythm) == (["*.pdf", "*.docx"], ["a", "b"], "daily")
        assert source.owner == User.objects.get(username="superuser")
        page = client.get(reverse("admin:ingestion_source_change", args=[source.pk])).content.decode()
        assert "*.pdf\n*.docx" in page

    @pytest.mark.parametrize("location", ["/etc", "..", "/", "{folder}/../", "{folder}/link"])
    def test_a_folder_that_is_not_allowed_is_refused_with_the_remedy(
        self, client: Client, library: Library, folder: Path, location: str
    ) -> None:
        (folder / "link").symlink_to("/etc")
        (message,) = errors(client, library, location=location.format(folder=folder))["location"]
        assert str(folder) in message.replace(location.format(folder=folder), "", 1) or "SOURCE_FOLDERS" in message

    def test_without_allowed_folders_it_says_who_allows_them(self, client: Client, library: Library) -> None:
        assert "SOURCE_FOLDERS" in errors(client, library, location="/srv")["location"][0]

    @pytest.mark.parametrize(
        "location",
        [
            "http://127.0.0.1/",
            "http://169.254.169.254/latest",
            "http://[::1]/",
            "ftp://a.pl/",
            "http://10.0.0.1:22/",
            "x",
        ],
    )
    @pytest.mark.parametrize("kind", ["web", "site", "sitemap", "feed"])
    def test_a_private_address_is_refused_when_it_is_saved(
        self, client: Client, library: Library, kind: str, location: str
    ) -> None:
        assert len(errors(client, library, kind=kind, location=location)["location"][0]) > 40
        assert not Source.objects.exists()

    @pytest.mark.parametrize("schedule", ["", "co godzinę", "* * * *", "61 * * * *", "* * * * * *"])
    def test_a_bad_cron_expression_is_refused(self, client: Client, library: Library, schedule: str) -> None:
        found = errors(client, library, kind="web", location="https://8.8.8.8/", rhythm="cron", schedule=schedule)
        assert list(found) == ["schedule"]

    def test_the_paths_of_a_feed_are_plain_fields(self, client: Client, library: Library) -> None:
        wanted = form(
            library.collections["public"], kind="feed", location="https://8.8.8.8/feed.json", feed_items="data.items",
            feed_text="body", feed_complete="on",
        )  # fmt: skip
        assert client.post(ADD, wanted).status_code == 302
        options = Source.objects.get().options
        assert (options["fields"]["items"], options["fields"]["text"]) == ("data.items", "body")
        assert options["complete"] is True

    def test_the_place_is_fixed_once_documents_came_from_there(
        self, client: Client, library: Library, folder: Path
    ) -> None:
        source = Source.objects.create(
            collection=library.collections["public"], kind="folder", name="A", location=str(folder)
        )
        SourceAddress.objects.create(source=source, uri="pliki/a.txt")
        wanted = form(library.collections["internal"], location="/etc", name="B")
        assert client.post(reverse("admin:ingestion_source_change", args=[source.pk]), wanted).status_code == 302
        source.refresh_from_db()
        assert (source.name, source.location, source.collection.slug) == ("B", str(folder), "public")


class TestSynchronising:
    @pytest.fixture
    def source(self, library: Library, folder: Path) -> Source:
        return Source.objects.create(
            collection=library.collections["restricted"], kind="folder", name="A", location=str(folder)
        )

    def sync(self, client: Client, source: Source) -> int:
        return client.post(reverse("admin:ingestion_source_sync", args=[source.pk])).status_code

    def test_the_button_starts_one_job(self, client: Client, source: Source) -> None:
        assert self.sync(client, source) == 302
        assert self.sync(client, source) == 302
        assert Job.objects.filter(source=source).count() == 1
        page = client.get(reverse("admin:ingestion_source_change", args=[source.pk])).content.decode()
        assert "data-job" in page

    def test_a_link_does_not_start_it(self, client: Client, source: Source) -> None:
        assert client.get(reverse("admin:ingestion_source_sync", args=[source.pk])).status_code == 405

    def test_an_editor_without_the_collection_cannot(self, library: Library, source: Source) -> None:
        assert self.sync(library.client("editor"), source) == 404

    def test_somebody_who_may_only_look_cannot(self, library: Library, source: Source) -> None:
        looking = User.objects.create_user("patrzy", is_staff=True)
        looking.user_permissions.set(Permission.objects.filter(codename="view_source"))
        Source.objects.update(collection=library.collections["public"])
        SourceAddress.objects.create(source=source, uri="pliki/a.txt")
        client = Client()
        client.force_login(looking)
        assert client.get(reverse("admin:ingestion_source_change", args=[source.pk])).status_code == 200
        assert self.sync(client, source) == 403

    def test_reports_of_other_collections_are_not_shown(self, library: Library, source: Source) -> None:
        report = SyncReport.objects.create(source=source)
        address = SourceAddress.objects.create(source=source, uri="tajne.txt")
        editor = library.client("editor")
        assert "tajne" not in editor.get(reverse("admin:ingestion_sourceaddress_changelist")).content.decode()
        for name, key in (("syncreport", report.pk), ("sourceaddress", address.pk)):
            assert editor.get(reverse(f"admin:ingestion_{name}_change", args=[key])).status_code == 302


class TestDeciding:
    @pytest.fixture
    def waiting(self, library: Library) -> SourceAddress:
        collection = library.collections["public"]
        source = Source.objects.create(collection=collection, kind="web", name="A", location="https://a.pl/")
        document = add_document(collection=collection, name="a.txt", content=b"tekst", source=source)
        return SourceAddress.objects.create(source=source, uri="a.txt", document=document, state="waiting")

    def act(self, client: Client, action: str, address: SourceAddress) -> None:
        client.post(
            reverse("admin:ingestion_sourceaddress_changelist"),
            {"action": action, "_selected_action": [address.pk]},
        )
        address.refresh_from_db()

    def test_confirming_archives(self, client: Client, waiting: SourceAddress) -> None:
        self.act(client, "confirm", waiting)
        assert waiting.state == "archived"
        assert Document.objects.get(pk=waiting.document_id).status == "archived"

    def test_keeping_keeps(self, client: Client, waiting: SourceAddress) -> None:
        self.act(client, "keep", waiting)
        assert waiting.state == "retained"
        assert Document.objects.get(pk=waiting.document_id).status == "queued"

    def test_a_title_that_an_editor_changes_counts_as_set_by_hand(self, client: Client, waiting: SourceAddress) -> None:
        document = waiting.document
        assert document is not None
        wanted = {"title": "Nowy tytuł", "collection": document.collection_id, "language": "pl", "metadata": "{}"}
        response = client.post(reverse("admin:ingestion_document_change", args=[document.pk]), wanted)
        assert response.status_code == 302
        document.refresh_from_db()
        assert document.title == "Nowy tytuł"
        assert "title" in document.edited
