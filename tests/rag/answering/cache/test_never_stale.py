"""Whatever is edited, hidden and asked in whatever order: no answer shows what its reader may not see any more."""

import re
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, Group, User
from django.core.cache import cache, caches
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from pytest_django import Settings

from ingestion.jobs import run_job
from ingestion.models import Collection, Document
from ingestion.models.viewers import Viewer
from ingestion.services.chunks import edit_chunk, set_chunk_enabled
from ingestion.services.documents import add_document, archive_document, delete_document
from tests.rag.answering.cache.asking import answered

SECRET = re.compile(r"tajne\d+")
TOPICS = ("urlop wypoczynkowy", "dodatek stażowy")
QUESTIONS = ("Ile wynosi urlop wypoczynkowy?", "urlop wypoczynkowy ile wynosi", "Ile wynosi dodatek stażowy?")
PEOPLE = ("nobody", "member", "stranger", "superuser")
VISIBILITIES = ("public", "internal", "restricted")
_numbers = count(1)  # never the same secret twice in a run, whatever was rolled back


@dataclass(slots=True)
class Written:
    """What the model of the knowledge base knows of a document."""

    collection: int
    secret: str
    in_force: bool = True
    shown: bool = True


class KnowledgeBase(RuleBasedStateMachine):
    """Each example runs in a transaction that is taken back."""

    hits = answers = shown = 0

    def __init__(self) -> None:
        super().__init__()
        self._transaction = transaction.atomic()
        self._transaction.__enter__()
        self.documents: dict[int, Written] = {}

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self._transaction.__exit__(None, None, None)

    @initialize()
    def found(self) -> None:
        self.group = Group.objects.create(name="Kadry")
        self.collections = [Collection.objects.create(name=s, slug=s, visibility="restricted") for s in ("a", "b")]
        self.people: dict[str, Viewer] = {"nobody": AnonymousUser()}
        self.people |= {name: User.objects.create_user(name) for name in ("member", "stranger")}
        self.people["superuser"] = User.objects.create_superuser("superuser")
        self.people["member"].groups.add(self.group)  # type: ignore[union-attr]
        self.visibility = dict.fromkeys((c.pk for c in self.collections), "restricted")
        self.let_in: set[int] = set()
        self.members = {"member"}
        for place, topic in enumerate(TOPICS):
            self.add(place, topic)
        self.open_or_close(0, "public")

    # Documents

    def _text(self, topic: str) -> tuple[str, str]:
        secret = f"tajne{next(_numbers)}"
        return f"{topic.capitalize()} wynosi 20 dni albo 20 zł ({secret}).", secret

    def _chosen(self, data: Any) -> Document:
        return Document.objects.get(pk=data.draw(st.sampled_from(sorted(self.documents)), label="document"))

    @rule(place=st.integers(0, 1), topic=st.sampled_from(TOPICS))
    def add(self, place: int, topic: str) -> None:
        text, secret = self._text(topic)
        collection = self.collections[place]
        document = add_document(
            collection=collection, name=f"{secret}.txt", content=text.encode(), title=f"Pismo {secret}", enqueue=False
        )
        run_job(str(document.jobs.get().pk))
        self.documents[document.pk] = Written(collection=collection.pk, secret=secret)

    @precondition(lambda self: self.documents)
    @rule(data=st.data(), topic=st.sampled_from(TOPICS))
    def edit(self, data: Any, topic: str) -> None:
        document = self._chosen(data)
        text, secret = self._text(topic)
        edit_chunk(chunk=document.chunks.get(), text=text)
        Document.objects.filter(pk=document.pk).update(title=secret, uri=secret)
        self.documents[document.pk].secret = secret

    @precondition(lambda self: self.documents)
    @rule(data=st.data(), way=st.sampled_from(["service", "queryset", "archive"]))
    def remove(self, data: Any, way: str) -> None:
        document = self._chosen(data)
        del self.documents[document.pk]
        if way == "service":
            delete_document(document=document)
        elif way == "queryset":
            Document.objects.filter(pk=document.pk).delete()
        else:
            archive_document(document=document)

    @precondition(lambda self: self.documents)
    @rule(data=st.data())
    def switch(self, data: Any) -> None:
        document = self._chosen(data)
        written = self.documents[document.pk]
        written.shown = not written.shown
        set_chunk_enabled(chunk=document.chunks.get(), enabled=written.shown)

    @precondition(lambda self: self.documents)
    @rule(data=st.data())
    def expire_or_revive(self, data: Any) -> None:
        document = self._chosen(data)
        written = self.documents[document.pk]
        written.in_force = not written.in_force
        end = None if written.in_force else timezone.localdate() - timedelta(days=1)
        Document.objects.filter(pk=document.pk).update(valid_to=end)

    # Rights

    @rule(place=st.integers(0, 1), visibility=st.sampled_from(VISIBILITIES))
    def open_or_close(self, place: int, visibility: str) -> None:
        key = self.collections[place].pk
        Collection.objects.filter(pk=key).update(visibility=visibility)
        self.visibility[key] = visibility

    @rule(place=st.integers(0, 1))
    def let_the_group_in_or_out(self, place: int) -> None:
        collection = self.collections[place]
        (collection.groups.remove if collection.pk in self.let_in else collection.groups.add)(self.group)
        self.let_in ^= {collection.pk}

    @rule(name=st.sampled_from(["member", "stranger"]))
    def join_or_leave(self, name: str) -> None:
        groups = self.people[name].groups  # type: ignore[union-attr]
        (groups.remove if name in self.members else groups.add)(self.group)
        self.members ^= {name}

    # Questions

    def _may_read(self, name: str, collection: int) -> bool:
        visibility = self.visibility[collection]
        if name == "superuser" or visibility == "public":
            return True
        if visibility == "internal":
            return name != "nobody"
        return collection in self.let_in and name in self.members

    @rule(name=st.sampled_from(PEOPLE), question=st.sampled_from(QUESTIONS), again=st.booleans())
    def ask(self, name: str, question: str, again: bool) -> None:
        viewer = self.people[name]
        fresh = viewer if isinstance(viewer, AnonymousUser) else User.objects.get(pk=viewer.pk)
        readable = [written for written in self.documents.values() if self._may_read(name, written.collection)]
        for _ in range(1 + again):
            answer = answered(question, fresh)
            secrets = set(SECRET.findall(repr(answer)))
            assert secrets <= {written.secret for written in readable if written.shown and written.in_force}
            assert answer.metrics.chunks_total == sum(written.shown for written in readable)
            type(self).answers += 1
            type(self).hits += answer.metrics.cache == "answers"
            type(self).shown += bool(secrets)


@pytest.fixture
def no_doubts(settings: Settings) -> None:
    """Whatever is found is shown: what the judge of answers refuses could hide what must not be shown."""
    shown_all = {"least_answerable": 0.0, "certain_confidence": 0.0}
    settings.RAG = {**settings.RAG, "presets": {"offline": shown_all}}


@pytest.mark.slow
@pytest.mark.usefixtures("no_doubts")
def test_no_sequence_shows_what_is_hidden_or_gone(db: None) -> None:
    cache.clear()
    caches["results"].clear()
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        KnowledgeBase,
        settings=settings(
            max_examples=12, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
    assert KnowledgeBase.hits > 5
    assert KnowledgeBase.shown > 10
