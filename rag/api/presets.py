from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ingestion.models.api_keys import ANY_KEY
from rag.services.presets import listed_presets
from rag.types import as_json


class PresetSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    description = serializers.CharField()
    default = serializers.BooleanField(help_text="Used where neither the call nor the assistant names one.")
    parts = serializers.DictField(help_text="The preset as data.")
    missing = serializers.ListField(
        child=serializers.CharField(), help_text="What the installation lacks for it; a search goes on without that."
    )


class PresetsView(APIView):
    scopes = {"GET": ANY_KEY}

    @extend_schema(summary="The presets, as data", responses=PresetSerializer(many=True))
    def get(self, request: Request) -> Response:
        return Response(PresetSerializer(as_json(listed_presets()), many=True).data)
