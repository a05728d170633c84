"""Whatever people, programs and sources do to documents in whatever order: what an editor set is there, every content
that was taken in can be brought back, and no file lies about without a row.
"""

import io
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import transaction
from django.test import Client, TestCase, override_settings
from django.urls import reverse
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from pytest_django import Settings

from ingestion.jobs import run_job
from ingestion.models import Collection, Document, DocumentVersion, Job, Source
from ingestion.services.sources import start_sync

NAMES = st.sampled_from(["a.md", "b.md"])
CONTENTS = st.sampled_from([
    "# Urlopy\n\nUrlop trwa 20 dni.\n",
    "# Urlopy\n\nUrlop trwa 26 dni.\n",
    "---\nautor: Anna\ntitle: Zasady\n---\n\nUrlop trwa 20 dni.\n",
    "---\nautor: Ewa\n---\n\n# Delegacje\n\nDieta wynosi 45 zł.\n",
])  # fmt: skip
WORDS = st.sampled_from(["kadry", "finanse", "prawo"])
FROM, TO = st.sampled_from(["", "2020-01-01", "2021-02-03"]), st.sampled_from(["", "2030-01-01"])
METADATA = st.dictionaries(st.sampled_from(["rok", "dział"]), WORDS, max_size=2)
KEYS = st.fixed_dictionaries({"rok": WORDS, "dział": WORDS})
SAID = st.one_of(
    st.just({}),
    st.fixed_dictionaries({"title": WORDS, "category": WORDS, "language": st.just("cs"), "metadata": KEYS}),
)
CHANGES = st.one_of(
    st.fixed_dictionaries({"title": WORDS, "category": st.one_of(WORDS, st.just(""))}),
    st.fixed_dictionaries({"tags": st.sampled_from(["", "a", "a,b"]), "language": st.sampled_from(["en", "de"])}),
    st.fixed_dictionaries({"valid_from": FROM, "valid_to": TO}),
    st.fixed_dictionaries({"metadata": METADATA, "category": WORDS}),
)
PLAIN = ("title", "category", "tags", "language", "valid_from", "valid_to")


@dataclass
class Known:
    """What must be true of a document: what an editor set, None for a key that was taken out; what was taken in."""

    editors: dict[str, Any] = field(default_factory=dict)
    contents: set[str] = field(default_factory=set)
    archived: bool = False


class Editing(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp())
        self.places = {name: self.root / "pliki" / name for name in ("folder", "source")}
        for place in self.places.values():
            place.mkdir(parents=True)
        self.override = override_settings(MEDIA_ROOT=self.root / "media", RAG=self.rag())
        self.override.enable()
        self.transaction = transaction.atomic()
        self.transaction.__enter__()
        self.collection = Collection.objects.create(name="Kadry", slug="kadry", visibility="public")
        place = str(self.places["source"])
        self.source = Source.objects.create(
            collection=self.collection,
            kind="folder",
            name="Pliki",
            location=place,
            gone_policy="archive",
            tags=["z"],
            category="źródło",
        )
        self.client = Client()
        self.client.force_login(User.objects.create_superuser("szefowa"))
        self.known: dict[int, Known] = {}
        self.indexed: dict[str, str] = {}

    def rag(self) -> dict[str, Any]:
        from django.conf import settings

        ingestion = settings.RAG.get("ingestion", {}) | {"folders": [str(self.root / "pliki")], "kept_versions": 1000}
        return {**settings.RAG, "ingestion": ingestion}

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.transaction.__exit__(None, None, None)
        self.override.disable()
        shutil.rmtree(self.root)

    @contextmanager
    def noted(self) -> Iterator[None]:
        """What a way of bringing documents did: contents that came are known from now on."""
        with TestCase.captureOnCommitCallbacks(execute=True):
            yield
        for document in Document.objects.all():
            known = self.known.setdefault(document.pk, Known())
            known.contents.add(document.checksum)

    def chosen(self, data: st.DataObject) -> Document:
        return Document.objects.get(pk=data.draw(st.sampled_from(sorted(self.known))))

    @initialize(contents=st.lists(CONTENTS, min_size=2, max_size=2, unique=True), said=SAID)
    def start(self, contents: list[str], said: dict[str, Any]) -> None:
        """A file that is indexed, one of a source, and one that a program sent."""
        for place, content in zip(self.places.values(), contents, strict=True):
            (place / "a.md").write_text(content)
        self.index_folder()
        self.synchronise()
        self.send("b.md", contents[0] + "Dla wszystkich.", {"uri": "klucz"}, said)

    @rule(place=st.sampled_from(["folder", "source"]), name=NAMES, content=CONTENTS)
    def write_file(self, place: str, name: str, content: str) -> None:
        (self.places[place] / name).write_text(content)

    @precondition(lambda self: any(self.places["folder"].iterdir()))
    @rule()
    def index_folder(self) -> None:
        files = {path.name: path.read_text() for path in self.places["folder"].iterdir()}
        contents = dict(Document.objects.values_list("pk", "checksum"))
        with self.noted():
            call_command("index", str(self.places["folder"]), collection="kadry", verbosity=0, stderr=io.StringIO())
        if files == self.indexed:  # whatever somebody sent or restored since stays
            now = dict(Document.objects.values_list("pk", "checksum"))
            assert now == contents
        # What came while its document was in the archive is taken once that is out of it.
        self.indexed = {} if any(known.archived for known in self.known.values()) else files
        before = list(Document.objects.order_by("pk").values()), Job.objects.count()
        call_command("index", str(self.places["folder"]), collection="kadry", verbosity=0, stderr=io.StringIO())
        assert (list(Document.objects.order_by("pk").values()), Job.objects.count()) == before

    @rule()
    def synchronise(self) -> None:
        with self.noted():
            run_job(str(start_sync(source=self.source, queue=False).pk))

    @rule(data=st.data(), name=NAMES, content=CONTENTS, said=SAID)
    def send_by_api(self, data: st.DataObject, name: str, content: str, said: dict[str, Any]) -> None:
        purposes = [{}, {"another": True}, {"uri": "klucz"}, *({"new_version_of": pk} for pk in self.known)]
        self.send(name, content, data.draw(st.sampled_from(purposes)), said)

    def send(self, name: str, content: str, purpose: dict[str, Any], said: dict[str, Any]) -> None:
        before = set(Document.objects.values_list("pk", flat=True))
        sent = {key: json.dumps(value) if key == "metadata" else value for key, value in said.items()} | purpose
        file = SimpleUploadedFile(name, content.encode())
        with self.noted():
            response = self.client.post("/api/documents", {"file": file, "collection": "kadry", **sent})
        assert response.status_code in (200, 202, 409), response.content
        if response.status_code == 409:
            assert {candidate["id"] for candidate in response.json()["candidates"]} <= before
            return
        document = response.json()["document"]
        self.known[document["id"]].archived = False
        assert sha256(content.encode()).hexdigest() == document["checksum"]
        assert document["id"] == purpose.get("new_version_of", document["id"])
        shown = Document.objects.get(pk=document["id"])
        for key in said.keys() - {"metadata"} - self.known[document["id"]].editors.keys():
            assert getattr(shown, key) == said[key]

    @rule(
        name=NAMES,
        content=CONTENTS,
        category=st.sampled_from(["", "kadry"]),
        when_taken=st.sampled_from(["", "version", "another"]),
    )
    def send_by_form(self, name: str, content: str, category: str, when_taken: str) -> None:
        fields = {"collection": self.collection.pk, "category": category, "when_taken": when_taken}
        file = SimpleUploadedFile(name, content.encode())
        with self.noted():
            address = reverse("admin:ingestion_document_upload")
            page = self.client.post(address, {"originals": file, **fields}, follow=True)
        (row,) = page.context["rows"]
        assert row.outcome in ("new", "version", "unchanged", "undecided")
        if row.document:
            self.known[row.document.pk].archived = False
            if category:
                self.known[row.document.pk].editors["category"] = category

    @precondition(lambda self: self.known)
    @rule(data=st.data(), changes=CHANGES)
    def edit(self, data: st.DataObject, changes: dict[str, Any]) -> None:
        document = self.chosen(data)
        address = reverse("admin:ingestion_document_change", args=[document.pk])
        form = self.client.get(address).context["adminform"].form
        shown = {name: form[name].value() for name in form.fields}
        sent = {name: "" if value is None else value for name, value in shown.items()} | changes
        for name in ("tags", "metadata"):
            if name == "metadata" and name in changes:
                sent[name] = json.dumps(changes[name])
            elif isinstance(sent[name], list):
                sent[name] = ",".join(sent[name])
        with self.noted():
            assert self.client.post(address, sent).status_code == 302
        self.note_edit(document, Document.objects.get(pk=document.pk))

    def note_edit(self, before: Document, after: Document) -> None:
        """What the form changed is the editor's."""
        known = self.known[after.pk].editors
        changed = {name for name in PLAIN if getattr(before, name) != getattr(after, name)}
        if changed & {"valid_from", "valid_to"}:
            changed |= {"valid_from", "valid_to"}
        known |= {name: getattr(after, name) for name in changed}
        for key in (before.metadata.keys() | after.metadata.keys()) - {"extracted"}:
            if before.metadata.get(key) != after.metadata.get(key):
                known["metadata." + key] = after.metadata.get(key)

    @precondition(lambda self: any(known.editors for known in self.known.values()))
    @rule(data=st.data())
    def take_back(self, data: st.DataObject) -> None:
        edited = sorted(pk for pk, known in self.known.items() if known.editors)
        pk = data.draw(st.sampled_from(edited))
        editors = self.known[pk].editors
        name = data.draw(st.sampled_from(sorted(editors)))
        address = reverse("admin:ingestion_document_take_back", args=[pk])
        with self.noted():
            self.client.post(address, {"field": name})
        for taken in {"valid_from", "valid_to"} if name.startswith("valid") else {name}:
            editors.pop(taken)
        assert set(Document.objects.get(pk=pk).edited) == editors.keys()

    @precondition(lambda self: self.known)
    @rule(data=st.data())
    def restore_version(self, data: st.DataObject) -> None:
        version: DocumentVersion = data.draw(st.sampled_from(list(self.chosen(data).versions.all())))
        with self.noted():
            address = reverse("admin:ingestion_document_version_restore", args=[version.document_id, version.number])
            self.client.post(address)
        assert Document.objects.get(pk=version.document_id).checksum == version.checksum

    @precondition(lambda self: self.known)
    @rule(data=st.data(), action=st.sampled_from(["archive", "restore", "index_again"]))
    def act(self, data: st.DataObject, action: str) -> None:
        document = self.chosen(data)
        with self.noted():
            address = reverse("admin:ingestion_document_changelist")
            self.client.post(address, {"action": action, "_selected_action": [document.pk]})
        if action == "restore" or (action == "archive" and document.status != Document.Status.ARCHIVED):
            self.known[document.pk].archived = action == "archive"

    @rule()
    def work(self) -> None:
        with self.noted():
            for job in Job.objects.filter(status="queued", kind="index_document"):
                run_job(str(job.pk))
        assert not Document.objects.filter(status="failed").exists()

    @invariant()
    def what_editors_set_is_there(self) -> None:
        for document in Document.objects.all():
            for name, value in self.known[document.pk].editors.items():
                key = name.removeprefix("metadata.")
                assert (document.metadata.get(key) if key != name else getattr(document, name)) == value, name

    @invariant()
    def no_document_is_lost_and_every_content_can_be_brought_back(self) -> None:
        assert set(Document.objects.values_list("pk", flat=True)) == set(self.known)
        for pk, known in self.known.items():
            assert known.contents <= set(DocumentVersion.objects.filter(document=pk).values_list("checksum", flat=True))

    @invariant()
    def what_an_editor_archived_stays_in_the_archive(self) -> None:
        for pk, known in self.known.items():
            assert not known.archived or Document.objects.get(pk=pk).status == "archived"

    @invariant()
    def the_originals_are_those_of_the_rows(self) -> None:
        files = {path.name for path in (self.root / "media").rglob("*") if path.is_file()}
        rows = {*Document.objects.values_list("checksum", flat=True)}
        assert files == rows | {*DocumentVersion.objects.values_list("checksum", flat=True)}


@pytest.mark.slow
def test_no_order_of_edits_uploads_indexings_synchronisations_and_restores_loses_anything(
    db: None, settings: Settings
) -> None:
    examples = hypothesis_settings(max_examples=10, stateful_step_count=40, deadline=None, derandomize=True)
    run_state_machine_as_test(Editing, settings=examples)  # type: ignore[no-untyped-call]
