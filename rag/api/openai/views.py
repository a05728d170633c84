from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Protocol

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
from rag.api.openai.requests import DEFAULT_MODEL, Asked, CompletionSerializer, ResponseSerializer, asked_in
from rag.api.openai.responses import ModelResponse
from rag.api.openai.tasks import task_reply
from rag.events import Event
from rag.search.retrieval.filter_rules import filters_as_of
from rag.selectors import offered_assistants
from rag.services.ask import ask, drain
from rag.services.ask_request import AskRequest
from rag.services.sse import EventStreamResponse
from rag.services.understanding import scope_of
from rag.types import Answer, Filters

_MOST_TOKENS = 4000
_LEAST_TOKENS = 50
PROBLEMS = dict.fromkeys((400, 401, 403, 404, 429), OpenAIProblemSerializer)
_ANSWERS: dict[Any, Any] = {
    (200, "application/json"): OpenApiTypes.OBJECT,
    (200, "text/event-stream"): OpenApiTypes.STR,
    **PROBLEMS,
}


class OpenAIView(APIView):
    parser_classes = [BoundedJSONParser]

    def get_exception_handler(self) -> Callable[[Exception, dict[str, Any]], Response]:
        return openai_problem


class ModelsView(OpenAIView):
    scopes = {"GET": ANY_KEY}

    @extend_schema(summary="The assistants as models of OpenAI's API", responses={200: OpenApiTypes.OBJECT, **PROBLEMS})
    def get(self, request: Request) -> Response:
        offered = [(DEFAULT_MODEL, "KnowledgeTree")]
        offered += offered_assistants(request.user).exclude(slug=DEFAULT_MODEL).values_list("slug", "name")
        models = [
            {"id": slug, "object": "model", "created": 0, "owned_by": "knowledgetree", "name": name}
            for slug, name in offered
        ]
        return Response({"object": "list", "data": models})


class AnswerShape(Protocol):
    """How an answer is said in one of the APIs."""

    def whole(self, answer: Answer) -> dict[str, Any]: ...

    def encode(self, event: Event) -> bytes: ...


class AnsweringView(OpenAIView):
    scopes = {"POST": "ask"}
    throttle_scope = "ask"

    def answered(self, reply: AnswerShape, events: Iterable[Event], *, stream: bool) -> HttpResponseBase:
        language = settings.LANGUAGE_CODE
        if stream:
            release_connections()  # a stream is long, and it has a connection of its own
            return EventStreamResponse(events, encode=reply.encode, language=language)
        with translation.override(language):
            return Response(reply.whole(drain(events).answer()))

    def events(
        self, request: Request, asked: Asked, *, model: str, tokens: int | None, as_of: str | None
    ) -> Iterable[Event]:
        """What is wrong with the request is raised here, before a stream begins."""
        if (reply := task_reply(asked.question)) is not None:
            return said_at_once(reply)
        question = AskRequest(
            question=asked.question,
            history=asked.history,
            filters=filters_as_of(Filters(), as_of),
            viewer=request.user,
            assistant="" if model == DEFAULT_MODEL else model,
            max_tokens=min(max(tokens, _LEAST_TOKENS), _MOST_TOKENS) if tokens else None,
            save=request.user.is_authenticated,
        )
        return ask(question, scope=scope_of(question))


class ChatCompletionsView(AnsweringView):
    """With `source_events` citations come as Open WebUI reads them."""

    source_events: ClassVar[bool] = False

    @extend_schema(
        summary="An answer in the shape of OpenAI's Chat Completions API",
        description="Each `[n]` of the text has a `url_citation` annotation, with the `quote` that it rests on; with "
        "`stream` they come with the last piece. Below `/openwebui/v1` they come as `source` events instead. Prompts "
        "that begin with `### Task:` want titles or tags of a conversation and are answered without a search.",
        request=CompletionSerializer,
        responses=_ANSWERS,
    )
    def post(self, request: Request) -> HttpResponseBase:
        asked = CompletionSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        options, question = given.get("stream_options") or {}, asked_in(given["messages"])
        reply = Completion(
            model=given["model"],
            absolute=request.build_absolute_uri,
            events=self.source_events,
            usage=bool(options.get("include_usage")),
            numbered_from=question.attached + 1 if self.source_events else 1,
        )
        most = given.get("max_completion_tokens") or given.get("max_tokens")
        events = self.events(request, question, model=given["model"], tokens=most, as_of=given.get("as_of"))
        return self.answered(reply, events, stream=bool(given["stream"]))


class ResponsesView(AnsweringView):
    @extend_schema(
        summary="An answer in the shape of OpenAI's Responses API",
        description="Each `[n]` of the text has a `url_citation` annotation, with the `quote` that it rests on. "
        "Nothing is kept to go on from: the turns before are sent as messages of `input`.",
        request=ResponseSerializer,
        responses=_ANSWERS,
    )
    def post(self, request: Request) -> HttpResponseBase:
        asked = ResponseSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        reply = ModelResponse(model=given["model"], absolute=request.build_absolute_uri)
        events = self.events(
            request,
            asked_in(given["input"]),
            model=given["model"],
            tokens=given.get("max_output_tokens"),
            as_of=given.get("as_of"),
        )
        return self.answered(reply, events, stream=bool(given["stream"]))
