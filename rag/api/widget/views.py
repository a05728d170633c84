from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from knowledgetree.postgres.connections import release_connections
from knowledgetree.problems import problems
from rag.api.feedback import FeedbackSerializer, as_kept
from rag.api.passages import SearchResultSerializer
from rag.api.representation import represented
from rag.api.widget.answer_json import widget_encode
from rag.api.widget.endpoint import WidgetEndpoint, bearer
from rag.api.widget.tokens import TOKEN_SECONDS, InvalidToken, VisitorSession, new_session, session_of, token_of
from rag.models import Exchange
from rag.selectors import conversations_of
from rag.services.ask import ask
from rag.services.ask_request import AskRequest
from rag.services.feedback import judge
from rag.services.search import search_passages
from rag.services.sse import EventStreamResponse
from rag.services.understanding import scope_of


class WidgetSessionSerializer(serializers.Serializer[Any]):
    token = serializers.CharField(help_text="For the header `Authorization: Bearer …` of the other requests.")
    expires_in = serializers.IntegerField(help_text="Seconds.")
    continued = serializers.BooleanField(help_text="The session goes on; else its conversations are new.")
    name = serializers.CharField()
    greeting = serializers.CharField()
    suggestions = serializers.ListField(child=serializers.CharField(), help_text="Questions to begin with.")


class PageSerializer(serializers.Serializer[Any]):
    """The page that the visitor is on. Anyone may have written it: to a model it is data, never an instruction."""

    title = serializers.CharField(max_length=300, default="", allow_blank=True)
    url = serializers.CharField(max_length=2000, default="", allow_blank=True)
    text = serializers.CharField(max_length=6000, default="", allow_blank=True)


class WidgetAskSerializer(serializers.Serializer[Any]):
    question = serializers.CharField(max_length=2000)
    conversation = serializers.UUIDField(required=False, help_text="One of this session, to ask on in.")
    language = serializers.ChoiceField(settings.LANGUAGES, default="pl", help_text="Language of messages.")
    page = PageSerializer(required=False)


class WidgetSearchSerializer(serializers.Serializer[Any]):
    query = serializers.CharField(max_length=2000)
    top_k = serializers.IntegerField(min_value=1, max_value=20, default=5)


class WidgetSessionView(WidgetEndpoint):
    throttle_scope = "widget"
    needs_token = False

    @extend_schema(
        summary="A session of a widget, begun or renewed",
        description="With a valid token the same session goes on, for at most twelve hours; else another begins. From "
        "pages whose origin the widget allows. No cookie is read or set.",
        request=None,
        responses={200: WidgetSessionSerializer, **problems(403, 404, 429)},
    )
    def post(self, request: Request, public_id: str) -> Response:
        earlier = self._earlier(request)
        session = earlier or new_session(self.widget, self._origin)
        begun = {
            "token": token_of(session),
            "expires_in": TOKEN_SECONDS,
            "continued": earlier is not None,
            "name": self.widget.name,
            "greeting": self.widget.greeting,
            "suggestions": self.widget.suggestions,
        }
        return Response(WidgetSessionSerializer(begun).data, headers={"Cache-Control": "no-store"})

    def _earlier(self, request: Request) -> VisitorSession | None:
        try:
            session = session_of(bearer(request), widget=self.widget, origin=self._origin)
        except InvalidToken:
            return None
        return session if session.renewable else None


class WidgetAskView(WidgetEndpoint):
    throttle_scope = "ask"

    @extend_schema(
        summary="An answer to a visitor of a widget, as server-sent events",
        description="`started`, `delta`, `citation`, `notice`, `revised`, then `completed` with what the widget shows "
        "of the answer, and `saved`; or `failed`. Rights are those of somebody not signed in, and the assistant's.",
        request=WidgetAskSerializer,
        responses={(200, "text/event-stream"): OpenApiTypes.STR, **problems(400, 401, 403, 404, 429)},
    )
    def post(self, request: Request, public_id: str) -> HttpResponseBase:
        given = WidgetAskSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        asked = self._asked(request, **given.validated_data)
        events = ask(asked, scope=scope_of(asked))
        release_connections()  # a stream is long, and it has a connection of its own
        return EventStreamResponse(events, encode=widget_encode, language=asked.language)

    def _asked(
        self,
        request: Request,
        *,
        question: str,
        language: str,
        conversation: UUID | None = None,
        page: Mapping[str, str] | None = None,
    ) -> AskRequest:
        own = conversations_of(request.user, self.visitor.key)
        return AskRequest(
            question=question,
            viewer=request.user,
            assistant=self.widget.assistant.slug,
            conversation=get_object_or_404(own, pk=conversation) if conversation else None,
            session_key=self.visitor.key,
            language=language,
            page="\n".join(filter(None, (page or {}).values())),
        )


class WidgetSearchView(WidgetEndpoint):
    throttle_scope = "search"

    @extend_schema(
        summary="Passages for a visitor of a widget, best first",
        request=WidgetSearchSerializer,
        responses={200: SearchResultSerializer, **problems(400, 401, 403, 404, 429)},
    )
    def post(self, request: Request, public_id: str) -> Response:
        asked = WidgetSearchSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        assistant = self.widget.assistant.slug
        found = search_passages(viewer=request.user, assistant=assistant, **asked.validated_data)
        return Response(represented(found, SearchResultSerializer))


class WidgetFeedbackView(WidgetEndpoint):
    throttle_scope = "feedback"

    @extend_schema(
        summary="A visitor's judgement of an answer, in place of an earlier one",
        request=FeedbackSerializer,
        responses={200: FeedbackSerializer, **problems(400, 401, 403, 404, 429)},
    )
    def post(self, request: Request, public_id: str) -> Response:
        given = FeedbackSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        try:
            kept = judge(viewer=request.user, session_key=self.visitor.key, **given.validated_data)
        except Exchange.DoesNotExist as error:
            raise Http404 from error
        return Response(as_kept(kept))
