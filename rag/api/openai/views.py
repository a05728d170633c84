from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from django.conf import settings
from django.http import HttpResponseBase
from django.utils import translation
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ingestion.models.api_keys import ANY_KEY
from knowledgetree.http.json_body import BoundedJSONParser
from knowledgetree.postgres.connections import release_connections
from rag.api.openai.completions import Completion, said_at_once
from rag.api.openai.problems import OpenAIProblemSerializer, openai_problem
from rag.api.openai.requests import DEFAULT_MODEL, CompletionSerializer, asked_in
from rag.api.openai.tasks import task_reply
from rag.events import Event
from rag.selectors import offered_assistants
from rag.services.ask import ask, drain
from rag.services.ask_request import AskRequest
from rag.services.sse import EventStreamResponse
from rag.services.understanding import scope_of

_MOST_TOKENS = 4000
_LEAST_TOKENS = 50
_PROBLEMS = dict.fromkeys((400, 401, 403, 404, 429), OpenAIProblemSerializer)


class OpenAIView(APIView):
    parser_classes = [BoundedJSONParser]

    def get_exception_handler(self) -> Callable[[Exception, dict[str, Any]], Response]:
        return openai_problem


class ModelsView(OpenAIView):
    scopes = {"GET": ANY_KEY}

    @extend_schema(
        summary="The assistants as models of OpenAI's API", responses={200: OpenApiTypes.OBJECT, **_PROBLEMS}
    )
    def get(self, request: Request) -> Response:
        offered = [(DEFAULT_MODEL, "KnowledgeTree")]
        offered += offered_assistants(request.user).exclude(slug=DEFAULT_MODEL).values_list("slug", "name")
        models = [
            {"id": slug, "object": "model", "created": 0, "owned_by": "knowledgetree", "name": name}
            for slug, name in offered
        ]
        return Response({"object": "list", "data": models})


class ChatCompletionsView(OpenAIView):
    """With `source_events` citations come as Open WebUI reads them."""

    scopes = {"POST": "ask"}
    throttle_scope = "ask"
    source_events: ClassVar[bool] = False

    @extend_schema(
        summary="An answer in the shape of OpenAI's Chat Completions API",
        description="Each `[n]` of the text has a `url_citation` annotation, with the `quote` that it rests on; with "
        "`stream` they come with the last piece. Below `/openwebui/v1` they come as `source` events instead. Prompts "
        "that begin with `### Task:` want titles or tags of a conversation and are answered without a search.",
        request=CompletionSerializer,
        responses={
            (200, "application/json"): OpenApiTypes.OBJECT,
            (200, "text/event-stream"): OpenApiTypes.STR,
            **_PROBLEMS,
        },
    )
    def post(self, request: Request) -> HttpResponseBase:
        asked = CompletionSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        options = given.get("stream_options") or {}
        completion = Completion(
            model=given["model"],
            absolute=request.build_absolute_uri,
            events=self.source_events,
            usage=bool(options.get("include_usage")),
        )
        events, language = self._events(request, given), settings.LANGUAGE_CODE
        if given["stream"]:
            release_connections()  # a stream is long, and it has a connection of its own
            return EventStreamResponse(events, encode=completion.encode, language=language)
        with translation.override(language):
            return Response(completion.whole(drain(events).answer()))

    def _events(self, request: Request, given: dict[str, Any]) -> Iterable[Event]:
        """What is wrong with the request is raised here, before a stream begins."""
        asked = asked_in(given["messages"])
        if (reply := task_reply(asked.question)) is not None:
            return said_at_once(reply)
        most = given.get("max_completion_tokens") or given.get("max_tokens")
        question = AskRequest(
            question=asked.question,
            history=asked.history,
            viewer=request.user,
            assistant="" if given["model"] == DEFAULT_MODEL else given["model"],
            max_tokens=min(max(most, _LEAST_TOKENS), _MOST_TOKENS) if most else None,
            save=request.user.is_authenticated,
        )
        return ask(question, scope=scope_of(question))
