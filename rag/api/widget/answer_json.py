"""An answer as a widget gets it: what it shows, without passages, steps, figures and costs."""

from typing import Any, get_args

from rest_framework import serializers

from rag.answering.verification.assurance import assurance
from rag.api.answers import CitationSerializer, NearSectionSerializer, NoticeSerializer
from rag.api.representation import represented
from rag.api.verification import ContradictionSerializer
from rag.events import AnswerDelta, CitationAdded, Completed, DraftRevised, Event, Failed, Noticed, Saved, Started
from rag.services.sse import encode, encode_fields
from rag.types import Answer, Outcome

_AS_THEY_ARE = (Started, AnswerDelta, DraftRevised, CitationAdded, Noticed, Saved, Failed)


class WidgetAnswerSerializer(serializers.Serializer[Any]):
    """The members that `AnswerSerializer` has too mean the same."""

    question = serializers.CharField()
    searched = serializers.CharField()
    text = serializers.CharField()
    outcome = serializers.ChoiceField([(name, name) for name in get_args(Outcome)])
    language = serializers.CharField()
    citations = CitationSerializer(many=True)
    notices = NoticeSerializer(many=True)
    nearest_sections = NearSectionSerializer(many=True)


class AssuranceSerializer(serializers.Serializer[Any]):
    """How sure an answer is, in words for its reader."""

    level = serializers.ChoiceField(["sure", "probable", "check"])
    words = serializers.CharField()
    meaning = serializers.CharField()


def widget_encode(event: Event) -> bytes:
    """As `encode`; events of what was done on the way are left out."""
    if isinstance(event, Completed):
        return encode_fields(event.name, {"answer": widget_answer(event.answer), "topics": list(event.topics)})
    return encode(event) if isinstance(event, _AS_THEY_ARE) else b""


def widget_answer(answer: Answer) -> dict[str, Any]:
    """What `WidgetAnswerSerializer` describes, with `assurance`, null where the sources answer nothing, and the places
    where they contradict each other.
    """
    sure = assurance(answer.confidence) if answer.outcome == "answered" else None
    differ = answer.verification.contradictions
    return {
        **represented(answer, WidgetAnswerSerializer),
        "assurance": represented(sure, AssuranceSerializer) if sure else None,
        "contradictions": [represented(one, ContradictionSerializer) for one in differ],
    }
