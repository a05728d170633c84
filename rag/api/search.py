from typing import Any

from django.http import QueryDict
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from knowledgetree.http.json_body import BoundedJSONParser
from knowledgetree.problems import problems
from rag.api.filters import AS_OF, FiltersSerializer
from rag.api.passages import SearchResultSerializer
from rag.api.representation import represented
from rag.search.retrieval.filter_rules import filters_as_of
from rag.services.search import search_passages
from rag.types import Filters


class SearchSerializer(serializers.Serializer[Any]):
    query = serializers.CharField(max_length=2000)
    top_k = serializers.IntegerField(min_value=1, max_value=100, default=10)
    assistant = serializers.CharField(default="", allow_blank=True, help_text="Empty: the default one.")
    preset = serializers.CharField(default="", allow_blank=True, help_text="Name of a preset; empty: the assistant's.")
    filters = FiltersSerializer(required=False)
    as_of = serializers.CharField(required=False, allow_blank=True, help_text=AS_OF)


class SearchParametersSerializer(FiltersSerializer):
    """The same in an address: filters stand beside the query, several values repeat the parameter."""

    query = serializers.CharField(max_length=2000)
    top_k = serializers.IntegerField(min_value=1, max_value=100, default=10)
    assistant = serializers.CharField(required=False)
    preset = serializers.CharField(required=False)
    as_of = serializers.CharField(required=False, help_text=AS_OF)
    metadata = serializers.CharField(required=False, help_text="A JSON object, written as text.")  # type: ignore[assignment]


# Asked as a field is: an instance with data would copy all its fields, which takes as long as checking what was sent.
_ASKED = SearchSerializer()
_LISTS = {name for name, field in FiltersSerializer().fields.items() if isinstance(field, serializers.ListField)}


class SearchView(APIView):
    scopes = {"GET": "search", "POST": "search"}
    throttle_scope = "search"
    parser_classes = [BoundedJSONParser]

    @extend_schema(
        summary="Passages that answer a query, best first",
        parameters=[SearchParametersSerializer],
        responses={200: SearchResultSerializer, **problems(400, 404, 429)},
    )
    def get(self, request: Request) -> Response:
        return self.search(request, nested(request.query_params))

    @extend_schema(
        summary="Passages that answer a query, best first",
        request=SearchSerializer,
        responses={200: SearchResultSerializer, **problems(400, 404, 429)},
    )
    def post(self, request: Request) -> Response:
        return self.search(request, request.data)

    def search(self, request: Request, given: Any) -> Response:
        asked = _ASKED.run_validation(given)
        result = search_passages(
            query=asked["query"],
            viewer=request.user,
            filters=filters_as_of(asked.get("filters", Filters()), asked.get("as_of")),
            **{name: asked[name] for name in ("top_k", "assistant", "preset")},
        )
        return Response(represented(result, SearchResultSerializer))


_OWN = ("query", "top_k", "assistant", "preset", "as_of")


def nested(parameters: QueryDict) -> dict[str, Any]:
    """Query parameters as the JSON body says it: everything that is not a filter is its own."""
    own = {name: parameters[name] for name in _OWN if name in parameters}
    given = {name: parameters.getlist(name) for name in parameters if name not in own}
    filters = {name: v if name in _LISTS else v[-1] for name, v in given.items()}
    return own | ({"filters": filters} if filters else {})
