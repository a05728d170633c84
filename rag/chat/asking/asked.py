"""From a request to the arguments of `rag.services.ask.ask`."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from django.utils.translation import get_language, gettext

from ingestion.models.viewers import Viewer
from knowledgetree.postgres.connections import borrowed_connections
from knowledgetree.postgres.optional import optional_write
from rag.chat.asking.forms import QuestionForm
from rag.chat.limits import refusal, wait_before_asking
from rag.events import Event, Failed
from rag.models import Conversation
from rag.services.ask import ask
from rag.services.asking import Asking
from rag.types import Filters


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question with the one who asked it. `assistant` is a slug; empty: the default one."""

    question: str
    viewer: Viewer
    session_key: str
    filters: Filters
    conversation: Conversation | None
    assistant: str
    language: str
    refused: Failed | None = None
    """Why it is not asked at all."""
    wait: int = 0
    """Seconds after which it may be, where it was one too many."""

    def events(self) -> Iterator[Event]:
        if self.refused:
            return iter((self.refused,))
        return iter(
            ask(
                Asking(
                    question=self.question,
                    viewer=self.viewer,
                    filters=self.filters,
                    conversation=self.conversation,
                    assistant=self.assistant,
                    session_key=self.session_key,
                    save=bool(self.viewer.is_authenticated or self.session_key),
                    language=self.language,
                )
            )
        )

    @property
    def status(self) -> int:
        """Of the response: 200, 400 for choices that are not the viewer's, 429 for one question too many."""
        if self.refused is None:
            return 200
        return 429 if self.wait else 400

    @property
    def headers(self) -> dict[str, str]:
        return {"Retry-After": str(self.wait)} if self.wait else {}


def asked(request: HttpRequest) -> Asked:
    """What the form of `request` asks. A conversation that is not the viewer's (any more) is not continued."""
    session_key = ensured_session_key(request)
    viewer: Viewer = request.user
    form = QuestionForm(request.POST, viewer=viewer, session_key=session_key)
    form.is_valid()
    wait = wait_before_asking(request)
    return Asked(
        question=form.asked,
        viewer=viewer,
        session_key=session_key,
        filters=form.filters,
        conversation=form.cleaned_data.get("conversation"),
        assistant=form.cleaned_data.get("assistant", ""),
        language=get_language() or "pl",
        refused=refusal(wait) if wait else _impossible(form),
        wait=wait,
    )


def _impossible(form: QuestionForm) -> Failed | None:
    """A choice that is not there is no reason to search in more than was chosen."""
    if not form.problems:
        return None
    return Failed(
        code="invalid_filter",
        message=" ".join(form.problems),
        remedy=gettext("Change or remove this choice and ask again."),
        retryable=False,
    )


@borrowed_connections()
def asked_before_streaming(request: HttpRequest) -> Asked:
    """As `asked`, and gives the database connection back: a stream is long and needs none in this thread."""
    return asked(request)


def ensured_session_key(request: HttpRequest) -> str:
    """The key of the browser session, which owns the conversations of an anonymous reader. "" where none can be
    written: whoever asks gets an answer all the same, which nobody keeps.
    """
    if not request.session.session_key:
        with optional_write("a session"):
            request.session.create()
            return str(request.session.session_key)
        request.session = SessionStore()  # or it would be written with the response
    return request.session.session_key or ""
