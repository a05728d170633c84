"""A source of a connector as an editor sees it: its form, its secret, its networks, its page."""

from pathlib import Path
from typing import Any

from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from ingestion.jobs import run_job
from ingestion.models import Collection, Document, Job, Source, SyncReport
from ingestion.services.sources import keep_secret
from knowledgetree.audit.models import AuditEntry
from tests.ingestion.syncing.conftest import Sync
from tests.webdav_server import ACCOUNT, PASSWORD, WebDAVServer


class TestPage:
    def form(self, collection: Collection, server: WebDAVServer, **fields: Any) -> dict[str, Any]:
        return {
            "name": "Dysk", "collection": collection.pk, "kind": "webdav", "location": server.location, "include": "",
            "exclude": "", "max_pages": 500, "max_depth": 5, "delay": "1.0", "category": "", "tags": "",
            "language": "pl", "gone_policy": "confirm", "rhythm": "daily", "schedule": "",
            "networks": "127.0.0.0/8", "connection_user": ACCOUNT, "secret": PASSWORD, **fields,
        }  # fmt: skip

    def test_a_secret_goes_in_and_never_comes_out(
        self, public: Collection, server: WebDAVServer, admin_client: Client, sync: Sync
    ) -> None:
        added = admin_client.post(reverse("admin:ingestion_source_add"), self.form(public, server))
        assert added.status_code == 302, added.context["adminform"].form.errors
        source = Source.objects.get()
        assert PASSWORD not in source.encrypted_secret
        assert source.encrypted_secret not in str(list(AuditEntry.objects.values()))
        change = reverse("admin:ingestion_source_change", args=[source.pk])
        page = admin_client.get(change).content.decode()
        assert PASSWORD not in page
        assert source.encrypted_secret not in page
        told = admin_client.get(f"/api/sources/{source.pk}").json()
        assert (told["has_secret"], told["connection"]) == (True, {"user": ACCOUNT, "key": ""})
        assert "secret" not in told
        assert admin_client.post(change, self.form(public, server, secret="", name="Inny")).status_code == 302
        assert sync(Source.objects.get(name="Inny")).status == "succeeded"

    def test_a_new_one_can_be_tried_before_anything_of_it_is_read(
        self, public: Collection, server: WebDAVServer, admin_client: Client
    ) -> None:
        adding = reverse("admin:ingestion_source_add")
        assert 'name="_try"' in admin_client.get(adding).content.decode()
        added = admin_client.post(adding, {**self.form(public, server), "_try": ""})
        source = Source.objects.get()
        assert added["Location"] == reverse("admin:ingestion_source_change", args=[source.pk])
        job = Job.objects.get()
        run_job(str(job.pk))
        report = SyncReport.objects.get()
        assert (report.dry, report.counts["new"], source.paused, Document.objects.count()) == (True, 2, True, 0)
        assert 'name="_try"' not in admin_client.get(added["Location"]).content.decode()
        admin_client.post(reverse("admin:ingestion_source_resume", args=[source.pk]))
        run_job(str(Job.objects.get(status="queued").pk))
        assert Document.objects.count() == 2

    def test_one_that_cannot_be_tried_says_so_and_waits(
        self, public: Collection, server: WebDAVServer, folder: Path, admin_client: Client
    ) -> None:
        wanted = self.form(public, server, kind="folder", location=str(folder), networks="", secret="", _try="")
        page = admin_client.post(reverse("admin:ingestion_source_add"), wanted, follow=True).content.decode()
        assert "tylko miejsca, które dają spis" in page
        assert (Source.objects.get().paused, Job.objects.count()) == (True, 0)

    def test_a_stored_secret_goes_to_no_other_server(
        self, public: Collection, server: WebDAVServer, admin_client: Client
    ) -> None:
        admin_client.post(reverse("admin:ingestion_source_add"), self.form(public, server))
        source = Source.objects.get()
        change = reverse("admin:ingestion_source_change", args=[source.pk])
        elsewhere = self.form(public, server, location="http://127.0.0.1:9/dav/", secret="")
        assert set(admin_client.post(change, elsewhere).context["adminform"].form.errors) == {"location", "secret"}
        given = {"location": "http://127.0.0.1:9/dav/"}
        answer = admin_client.patch(f"/api/sources/{source.pk}", given, "application/json")
        assert [error["field"] for error in answer.json()["errors"]] == ["secret"]

    def test_private_networks_are_an_administrators_to_allow(
        self, public: Collection, server: WebDAVServer, client: Client, source: Source
    ) -> None:
        editor = User.objects.create_user("redaktor", is_staff=True)
        editor.user_permissions.add(*Permission.objects.filter(codename__endswith="_source"))
        client.force_login(editor)
        wanted = self.form(public, server, location=f"{server.location}inne/")
        errors = client.post(reverse("admin:ingestion_source_add"), wanted).context["adminform"].form.errors
        assert list(errors) == ["location"]
        given = {"networks": ["127.0.0.0/8", "10.0.0.0/8"]}
        answer = client.patch(f"/api/sources/{source.pk}", given, "application/json")
        assert [error["field"] for error in answer.json()["errors"]] == ["networks"]

    def test_the_page_says_what_is_read_with_which_rights_and_acts(
        self, source: Source, server: WebDAVServer, admin_client: Client, sync: Sync
    ) -> None:
        Source.objects.update(mirror_rights=True)
        source.refresh_from_db()
        sync(source)
        change = reverse("admin:ingestion_source_change", args=[source.pk])
        page = admin_client.get(change).content.decode()
        assert f"konto „{ACCOUNT}”" in page
        assert "nieznan" in page  # the account itself is nobody here
        Source.objects.update(options={**source.options, "readers": "anna@example.pl"})
        assert "czytać kolekcję: anna@example.pl" in admin_client.get(change).content.decode()
        check = reverse("admin:ingestion_source_check", args=[source.pk])
        assert "Miejsce odpowiada" in admin_client.post(check, follow=True).content.decode()
        keep_secret(source, "inne")
        source.save()
        assert "odrzuca konto" in admin_client.post(check, follow=True).content.decode()
        admin_client.post(reverse("admin:ingestion_source_dry", args=[source.pk]))
        assert SyncReport.objects.filter(dry=True).count() == 1
        admin_client.post(reverse("admin:ingestion_source_pause", args=[source.pk]))
        source.refresh_from_db()
        assert source.paused
