"""Conversations in which given words were said."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from ingestion.models.viewers import Viewer
from rag.models import Conversation, Exchange
from rag.models.folding import Folded, folded
from rag.selectors import answers_as_stored

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
