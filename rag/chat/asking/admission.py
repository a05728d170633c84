"""Who may ask what, and now: the form of a request becomes a question that `rag.services.ask.ask` answers."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from django.utils.translation import get_language, gettext

from knowledgetree.postgres.connections import borrowed_connections
from knowledgetree.postgres.optional import optional_write
from rag.chat.asking.forms import QuestionForm
from rag.chat.limits import count_question, refusal
from rag.events import Event, Failed
from rag.services.ask import ask
from rag.services.ask_request import AskRequest
from rag.services.handing_over import ASKED_AS


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """A question with the one who asked it. `refused`: why it is not asked at all. `wait`: seconds after which it may
    be, where it was one too many.
    """

    request: AskRequest
    refused: Failed | None = None
    wait: int = 0

    def events(self) -> Iterator[Event]:
        return iter((self.refused,)) if self.refused else ask(self.request)

    @property
    def status(self) -> int:
        """The status of the response: 200, 400 for choices that are not the viewer's, 429 for one question too many."""
        if self.refused is None:
            return 200
        return 429 if self.wait else 400

    @property
    def headers(self) -> dict[str, str]:
        return {"Retry-After": str(self.wait)} if self.wait else {}


def admit_question(request: HttpRequest) -> Admission:
    """Reads the form, begins a session where there is none, and counts the question.

    A conversation that is not the viewer's (any more) is not continued.
    """
    session_key = ensure_session_key(request)
    form = QuestionForm(request.POST, viewer=request.user, session_key=session_key)
    form.is_valid()
    wait = count_question(request)
    asked = AskRequest(
        question=form.asked,
        viewer=request.user,
        filters=form.filters,
        conversation=form.cleaned_data.get("conversation"),
        assistant=form.cleaned_data.get("assistant", ""),
        session_key=session_key,
        save=bool(request.user.is_authenticated or session_key),
        language=get_language() or "pl",
        again=bool(form.cleaned_data.get("again")),
    )
    return Admission(request=asked, refused=refusal(wait) if wait else _impossible(form), wait=wait)


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
def admit_before_streaming(request: HttpRequest) -> Admission:
    """As `admit_question`, and gives the database connection back: a stream is long and needs none in this thread."""
    return admit_question(request)


def ensure_session_key(request: HttpRequest) -> str:
    """The key of the browser session, which owns the conversations of an anonymous reader. "" where none can be
    written: whoever asks gets an answer all the same, which nobody keeps.
    """
    if not request.session.session_key:
        with optional_write("a session"):
            request.session.create()
            return _marked(request)
        request.session = SessionStore()  # or it would be written with the response
    return _marked(request)


def _marked(request: HttpRequest) -> str:
    """Signing in gives the session another key; what was asked before is handed over by this one."""
    key = request.session.session_key or ""
    if key and not request.user.is_authenticated and request.session.get(ASKED_AS) != key:
        request.session[ASKED_AS] = key
    return key
