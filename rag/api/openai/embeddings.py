"""Texts as vectors of the space that is searched, in the shape of OpenAI's Embeddings API."""

import base64
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from numpy.typing import NDArray
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from ingestion.embedding.protocol import Embedder
from ingestion.selectors import active_space, embedder_of
from ingestion.text.token_size import CHARACTERS_PER_TOKEN
from knowledgetree.components import component
from knowledgetree.conf import rag_settings
from rag.api.openai.requests import DEFAULT_MODEL
from rag.api.openai.views import PROBLEMS, OpenAIView

MOST_TEXTS = 256
MOST_CHARACTERS = 8_000


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]})
class TextsField(serializers.Field[Any, Any, Any, Any]):
    """A text, or a list of texts."""

    def to_internal_value(self, data: Any) -> list[str]:
        texts = data if isinstance(data, list) else [data]
        if not texts or not all(isinstance(text, str) and text.strip() for text in texts):
            raise serializers.ValidationError(
                _("Write a text or a list of texts, none of them empty. Numbers of tokens are not understood here.")
            )
        if len(texts) > MOST_TEXTS:
            raise serializers.ValidationError(_("Send at most %(n)d texts.") % {"n": MOST_TEXTS})
        if max(map(len, texts)) > MOST_CHARACTERS:
            raise serializers.ValidationError(_("A text has at most %(n)d characters.") % {"n": MOST_CHARACTERS})
        return texts

    def to_representation(self, value: list[str]) -> list[str]:
        return value


class EmbeddingsSerializer(serializers.Serializer[Any]):
    model = serializers.CharField(help_text="The embedding model of this installation, or `knowledgetree` for it.")
    input = TextsField(help_text=f"At most {MOST_TEXTS} texts of {MOST_CHARACTERS} characters each.")
    encoding_format = serializers.ChoiceField(["float", "base64"], default="float")
    dimensions = serializers.IntegerField(required=False, allow_null=True, help_text="No other than the model's.")
    input_type = serializers.ChoiceField(
        ["passage", "query"],
        default="passage",
        help_text="More than OpenAI has: some models embed questions otherwise.",
    )


class EmbeddingsView(OpenAIView):
    scopes = {"POST": "search"}
    throttle_scope = "search"

    @extend_schema(
        summary="Vectors of texts, in the shape of OpenAI's Embeddings API",
        description="By the model whose vectors are searched here; they have length 1.",
        request=EmbeddingsSerializer,
        responses={200: OpenApiTypes.OBJECT, **PROBLEMS},
    )
    def post(self, request: Request) -> Response:
        asked = EmbeddingsSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        embedder = _embedder(given["model"])
        if given.get("dimensions") not in (None, embedder.dimension):
            told = _("This model has %(n)d dimensions.") % {"n": embedder.dimension}
            raise serializers.ValidationError({"dimensions": [told]})
        vectors = _vectors(embedder, given["input"], of_questions=given["input_type"] == "query")
        shown = _base64 if given["encoding_format"] == "base64" else _numbers
        tokens = sum(map(len, given["input"])) // CHARACTERS_PER_TOKEN
        return Response(
            {
                "object": "list",
                "model": embedder.name,
                "data": [
                    {"object": "embedding", "index": number, "embedding": shown(vector)}
                    for number, vector in enumerate(vectors)
                ],
                "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
            }
        )


def _embedder(model: str) -> Embedder:
    """That of the space which is searched, or the one to come before there is any. Raises NotFound."""
    space = active_space()
    embedder: Embedder = embedder_of(space) if space else component("embedders", rag_settings().embedder)
    if model not in (DEFAULT_MODEL, embedder.name):
        told = _("There is no embedding model %(name)s here, but %(known)s.")
        raise NotFound(told % {"name": model, "known": embedder.name})
    return embedder


def _vectors(embedder: Embedder, texts: list[str], *, of_questions: bool) -> NDArray[np.float32]:
    if of_questions:
        return np.stack([embedder.embed_query(text) for text in texts])
    return embedder.embed_passages(texts)


def _numbers(vector: NDArray[np.float32]) -> list[float]:
    return [float(number) for number in vector]


def _base64(vector: NDArray[np.float32]) -> str:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode()
