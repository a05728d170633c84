"""A letter arrives once: servers that refuse and workers that die cost time, no letter."""

import os
import re
import signal
from collections.abc import Callable
from datetime import time

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connections
from django.test import Client
from django.utils import timezone

from knowledgetree.events.announcing import announce
from knowledgetree.events.registry import AnnouncedEvent
from knowledgetree.letters import writing
from knowledgetree.letters.check import letters
from knowledgetree.letters.models import Letter, LetterChoice
from knowledgetree.letters.sending import WAITS, send_letter, send_news
from knowledgetree.letters.writing import write_letters
from rag.models import EvaluationDataset, EvaluationRun
from tests.smtp_server import Postman


@pytest.fixture
def letter(post: Postman, editor: User, monkeypatch: pytest.MonkeyPatch) -> Letter:
    monkeypatch.setattr(writing, "EARLIEST", time(0))
    EvaluationDataset.objects.create(name="kadry")
    run = EvaluationRun.objects.create(dataset="kadry", kind="retrieval", preset="offline", questions=1, scores={})
    announce(AnnouncedEvent.EVALUATION_WORSE, about=[run.pk], run=run.pk)
    assert write_letters() == 1
    return Letter.objects.get()


def make_due(letter: Letter) -> None:
    """As if the time had come that it waits for; one that waits for none stays so."""
    Letter.objects.filter(pk=letter.pk, due__isnull=False).update(due=timezone.now())


@pytest.mark.django_db
def test_a_refused_letter_is_tried_again_and_arrives_once(post: Postman, letter: Letter) -> None:
    post.says = "451 chwilowo nie"
    assert not send_letter(letter.pk)
    letter.refresh_from_db()
    assert "451" in letter.error
    assert letter.due
    assert letter.due > timezone.now()
    post.says = "250 OK"
    make_due(letter)
    assert send_news() == 1
    assert (send_news(), len(post.letters)) == (0, 1)


@pytest.mark.django_db
def test_what_a_given_up_letter_had_to_tell_comes_with_the_next(post: Postman, letter: Letter, editor: User) -> None:
    post.says = "550 nie ma takiej skrzynki"
    for _attempt in range(len(WAITS) + 1):
        make_due(letter)
        send_letter(letter.pk)
    letter.refresh_from_db()
    assert (letter.due, letter.sent) == (None, None)
    assert letters().well is False
    post.says = "250 OK"
    LetterChoice.objects.filter(user=editor).update(digested=None)
    assert send_news() == 1
    assert "kadry" in post.letters[0].get_body(("plain",)).get_content()  # type: ignore[union-attr]


def die_while(post: Postman, work: Callable[[], object]) -> None:
    """A worker of its own begins the work, and is killed when the server has the letter and has not answered."""
    connections.close_all()
    if (worker := os.fork()) == 0:
        try:
            work()
        finally:
            os._exit(0)
    assert post.reached.wait(20)
    os.kill(worker, signal.SIGKILL)
    assert os.WTERMSIG(os.waitpid(worker, 0)[1]) == signal.SIGKILL


@pytest.mark.django_db(transaction=True)
def test_a_killed_worker_loses_no_letter_and_sends_none_twice(post: Postman, letter: Letter) -> None:
    post.says = ""
    die_while(post, lambda: send_letter(letter.pk))
    post.says = "250 OK"
    assert send_news() == 0  # it is claimed still: its worker may be alive
    make_due(letter)
    assert send_news() == 1
    assert (send_news(), write_letters()) == (0, 0)
    assert {one["Message-ID"] for one in post.letters} == {f"<{letter.pk.hex}@wiedza.urzad.example>"}
    assert Letter.objects.get().attempts == 2


@pytest.mark.django_db
class TestTheWayOut:
    def link(self, post: Postman, letter: Letter) -> str:
        send_letter(letter.pk)
        (header,) = re.findall(r"^List-Unsubscribe:\s+(<\S+>)\r$", post.last.decode(), re.MULTILINE)
        assert post.letters[0]["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        return header.strip("<>").removeprefix("https://wiedza.urzad.example")

    def test_a_mailbox_posts_it_without_a_session(self, post: Postman, letter: Letter, editor: User) -> None:
        link = self.link(post, letter)
        answer = Client(enforce_csrf_checks=True).post(link, {"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
        assert LetterChoice.objects.get(user=editor).rhythm == "never"

    def test_who_only_looks_ends_nothing(self, post: Postman, letter: Letter, editor: User, client: Client) -> None:
        page = client.get(self.link(post, letter)).content.decode()
        assert "<button" in page
        assert LetterChoice.objects.get(user=editor).rhythm == "daily"

    def test_another_s_cannot_be_made(self, post: Postman, letter: Letter, client: Client) -> None:
        assert client.post(f"{self.link(post, letter)[:-2]}x/").status_code == 404


@pytest.mark.django_db
class TestTheAccount:
    def test_an_editor_chooses(self, editor: User, client: Client) -> None:
        client.force_login(editor)
        assert "Wiadomości e-mail" in client.get("/account/").content.decode()
        client.post("/account/letters/", {"rhythm": "weekly", "kinds": ["gap.opened"], "urgent_at_once": "on"})
        choice = LetterChoice.objects.get(user=editor)
        assert (choice.rhythm, choice.urgent_at_once) == ("weekly", True)
        assert "document.failed" in choice.declined
        assert "gap.opened" not in choice.declined

    def test_a_reader_has_nothing_to_choose(self, employee: User, client: Client) -> None:
        client.force_login(employee)
        assert "Wiadomości e-mail" not in client.get("/account/").content.decode()
        assert client.post("/account/letters/", {"rhythm": "daily"}).status_code == 403


@pytest.mark.django_db
def test_a_test_letter_says_what_the_server_answered(post: Postman, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("test_letter", "ja@urzad.example")
    assert post.letters[0]["To"] == "ja@urzad.example"
    post.says = "550 nie ma takiej skrzynki"
    with pytest.raises(CommandError, match="550"):
        call_command("test_letter", "nikt@urzad.example")
