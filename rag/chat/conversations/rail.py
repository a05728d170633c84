"""The list of conversations beside the chat: the newest first, by day, a page of it, or those that were looked for."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ingestion.models.viewers import Viewer
from rag.chat.conversations.own_conversations import owned_conversation, session_key_of
from rag.models import Conversation, Exchange
from rag.models.folding import Folded, folded
from rag.selectors import answers_as_stored, conversations_of

MOST_WORDS = 8
LONGEST = 200


def conversations_with(words: str, conversations: QuerySet[Conversation], viewer: Viewer) -> QuerySet[Conversation]:
    """Those of `conversations` that have each of the words somewhere: in the title, a question or an answer.

    Parts of words count, case and diacritics do not. Answers that `viewer` no longer sees word for word are left out:
    finding one would tell what it says.
    """
    for word in folded(words[:LONGEST]).split()[:MOST_WORDS]:
        conversations = conversations.filter(_in_title(word) | _in_questions(word) | _in_answers(word, viewer))
    return conversations


def _in_title(word: str) -> Q:
    titled = Conversation.objects.annotate(folded=Folded("title")).filter(folded__contains=word)
    return Q(Exists(titled.filter(pk=OuterRef("pk"))))


def _in_questions(word: str) -> Q:
    asked = Exchange.objects.annotate(folded=Folded("question")).filter(folded__contains=word)
    return Q(Exists(asked.filter(conversation=OuterRef("pk"))))


def _in_answers(word: str, viewer: Viewer) -> Q:
    answered = answers_as_stored(viewer).annotate(folded=Folded("answer")).filter(folded__contains=word)
    return Q(Exists(answered.filter(conversation=OuterRef("pk"))))


PER_PAGE = 50
_LAST_PAGE = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """Conversations of a day, of a week's rest or of a month."""

    name: str
    conversations: tuple[Conversation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rail:
    """`here` is the address of the page it stands on; `newer` and `older` are parameters, "" where there are none."""

    days: tuple[Day, ...]
    here: str
    find: str = ""
    newer: str = ""
    older: str = ""


@require_safe
@never_cache
def conversations(request: HttpRequest) -> HttpResponse:
    """The list alone, for the page's script; with `current` also that conversation's head."""
    current = _current(request)
    return render(request, "chat/conversations/renewed.html", {"rail": rail_of(request, current), "current": current})


def rail_of(request: HttpRequest, current: Conversation | None = None) -> Rail:
    """What the parameters `find` and `page` ask for; a page that is none is the first."""
    find = request.GET.get("find", "").replace("\x00", "").strip()[:LONGEST]
    page = _number(request.GET.get("page", ""))
    own = conversations_of(request.user, session_key_of(request))
    if find:
        own = conversations_with(find, own, request.user)
    begin = PER_PAGE * (page - 1)
    shown = list(own.order_by("-modified", "pk")[begin : begin + PER_PAGE + 1])
    return Rail(
        days=tuple(by_day(shown[:PER_PAGE], timezone.localdate())),
        here=reverse("chat:conversation", args=[current.pk]) if current else reverse("chat:home"),
        find=find,
        newer=_parameters(find, page - 1) if page > 1 else "",
        older=_parameters(find, page + 1) if len(shown) > PER_PAGE else "",
    )


def by_day(conversations: Iterable[Conversation], today: date) -> list[Day]:
    """In groups as people remember: today, yesterday, the last 7 days, then months."""
    groups = groupby(conversations, lambda one: _period(timezone.localdate(one.modified), today))
    return [Day(name=name, conversations=tuple(group)) for name, group in groups]


def _period(day: date, today: date) -> str:
    if day >= today:
        return _("Today")
    if day == today - timedelta(days=1):
        return _("Yesterday")
    if day > today - timedelta(days=7):
        return _("Last 7 days")
    return capfirst(date_format(day, "F Y"))


def _current(request: HttpRequest) -> Conversation | None:
    key = request.GET.get("current", "")
    try:
        return owned_conversation(request, UUID(key)) if key else None
    except ValueError as error:
        raise Http404 from error


def _parameters(find: str, page: int) -> str:
    return "?" + urlencode(({"find": find} if find else {}) | {"page": page})


def _number(text: str) -> int:
    return min(int(text), _LAST_PAGE) if text.isdecimal() and len(text) < 10 and int(text) else 1
