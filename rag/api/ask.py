from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote
from uuid import UUID

from django.conf import settings
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import translation
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from knowledgetree.http.json_body import BoundedJSONParser
from knowledgetree.postgres.connections import release_connections
from knowledgetree.problems import problems
from rag.api.answers import AnswerSerializer
from rag.api.filters import AS_OF, FiltersSerializer
from rag.api.representation import represented
from rag.errors import UnknownPreset
from rag.events import Event
from rag.search.retrieval.filter_rules import filters_as_of
from rag.selectors import conversations_of
from rag.services.ask import Ending, ask, drain
from rag.services.ask_request import AskRequest
from rag.services.sse import EventStreamResponse, encode
from rag.services.understanding import scope_of
from rag.types import Filters

MOST_PAGE_CONTEXT = 8_000
"""Characters of the page that the reader is on; the header is percent-encoded."""

_METADATA = ("passages", "steps", "verification", "metrics", "analysis")


class AskSerializer(serializers.Serializer[Any]):
    question = serializers.CharField(max_length=2000)
    filters = FiltersSerializer(required=False)
    as_of = serializers.CharField(required=False, allow_blank=True, help_text=AS_OF)
    conversation = serializers.UUIDField(required=False, help_text="One of the viewer's own, to ask on in.")
    language = serializers.ChoiceField(settings.LANGUAGES, default="pl", help_text="Language of messages.")
    top_k = serializers.IntegerField(min_value=1, max_value=100, required=False)
    assistant = serializers.CharField(default="", allow_blank=True, help_text="Empty: the default one.")
    preset = serializers.CharField(default="", allow_blank=True, help_text="Name of a preset; empty: the assistant's.")
    parts = serializers.DictField(
        required=False, help_text="Parts of the preset to replace, as GET /api/presets shows them, but not the model."
    )
    min_relevance = serializers.FloatField(min_value=0, max_value=1, required=False)
    max_tokens = serializers.IntegerField(min_value=50, max_value=4000, required=False, help_text="Of the answer.")
    synthesize = serializers.BooleanField(default=True, help_text="False: passages alone, no answer.")
    include_metadata = serializers.BooleanField(
        default=True, help_text="False: without passages, steps, verification and metrics."
    )
    stream = serializers.BooleanField(default=False, help_text="True: server-sent events, as with their Accept header.")


class KeptAnswerSerializer(AnswerSerializer):
    """With the keys under which it is kept, to ask on and to judge it; empty where it is not."""

    conversation = serializers.CharField()
    exchange = serializers.CharField()


class EventStreamRenderer(JSONRenderer):
    """Lets a client ask for `text/event-stream`; an error before the first event is JSON."""

    media_type = "text/event-stream"
    format = "sse"


class AskView(APIView):
    scopes = {"POST": "ask"}
    throttle_scope = "ask"
    parser_classes = [BoundedJSONParser]
    renderer_classes = [JSONRenderer, EventStreamRenderer]

    @extend_schema(
        summary="An answer in which every claim cites its passage",
        description=(
            "With `Accept: text/event-stream` or `stream: true` the answer comes as server-sent events: `started`, "
            "`step` (when a step begins and when it ends), `retrieved` (again where more was searched), `delta`, "
            "`citation`, `notice`, `revised` (the pieces so far are withdrawn, a better draft begins), then "
            "`completed` with the whole answer and `saved`; or `failed`. The header `X-Page-Context` may have the text "
            "of the page that the reader is on, percent-encoded."
        ),
        request=AskSerializer,
        responses={
            (200, "application/json"): KeptAnswerSerializer,
            (200, "text/event-stream"): OpenApiTypes.STR,
            **problems(400, 404, 429, 500),
        },
    )
    def post(self, request: Request) -> HttpResponseBase:
        asked = AskSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        language = asked.validated_data["language"]
        events = events_of(request, **asked.validated_data)
        if asked.validated_data["stream"] or isinstance(request.accepted_renderer, EventStreamRenderer):
            release_connections()  # a stream is long, and it has a connection of its own
            return EventStreamResponse(events, encode=encode, language=language)
        with translation.override(language):
            answer = kept_answer(drain(events))
            left_out = () if asked.validated_data["include_metadata"] else _METADATA
            return Response({name: value for name, value in answer.items() if name not in left_out})


def events_of(
    request: Request,
    *,
    conversation: UUID | None = None,
    stream: bool,
    include_metadata: bool,
    as_of: str = "",
    **options: Any,
) -> Iterator[Event]:
    """The events of the answer. What is wrong with the request is raised here, before a stream begins."""
    viewer, session_key = request.user, request.session.session_key or ""
    if options.get("parts") and not viewer.is_authenticated:
        raise UnknownPreset(_("Parts of a preset can be replaced by signed-in users only."), remedy=_("Sign in."))
    asked = AskRequest(
        viewer=viewer,
        conversation=get_object_or_404(conversations_of(viewer, session_key), pk=conversation)
        if conversation
        else None,
        session_key=session_key,
        filters=filters_as_of(options.pop("filters", Filters()), as_of),
        page=unquote(request.headers.get("X-Page-Context", ""))[:MOST_PAGE_CONTEXT],
        save=bool(viewer.is_authenticated or session_key),  # what nobody could find again is not kept
        **options,
    )
    return ask(asked, scope=scope_of(asked))


def kept_answer(ending: Ending) -> dict[str, Any]:
    """What `KeptAnswerSerializer` describes; raises KnowledgeTreeError where there is no answer."""
    saved = ending.saved
    return {
        **represented(ending.answer(), AnswerSerializer),
        "conversation": saved.conversation_id if saved else "",
        "exchange": saved.exchange_id if saved else "",
    }
