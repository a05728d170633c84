"""What lists are narrowed by."""

from typing import Any

from rest_framework import serializers

from ingestion.models import Document, Job, SynonymGroup


class DocumentFiltersSerializer(serializers.Serializer[Any]):
    collection = serializers.SlugField(required=False, help_text="Identifier of a collection.")
    status = serializers.ChoiceField(Document.Status.choices, required=False)
    tag = serializers.CharField(required=False)
    category = serializers.CharField(required=False)
    warnings = serializers.BooleanField(required=False, help_text="Whether something of the file was not read.")
    search = serializers.CharField(required=False, help_text="Part of the title or of the URI.")


class JobFiltersSerializer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(Job.Status.choices, required=False)
    document = serializers.IntegerField(required=False, help_text="Number of a document.")


class SynonymFiltersSerializer(serializers.Serializer[Any]):
    collection = serializers.SlugField(required=False, help_text="Identifier of a collection.")
    source = serializers.ChoiceField(  # type: ignore[assignment]
        SynonymGroup.Source.choices, required=False, help_text="Who wrote the group."
    )
    pack = serializers.CharField(required=False, help_text="Name of a pack of the lexicon.")
    enabled = serializers.BooleanField(required=False)
    search = serializers.CharField(required=False, help_text="Part of a word of the group.")


class GlossaryFiltersSerializer(serializers.Serializer[Any]):
    collection = serializers.SlugField(required=False, help_text="Identifier of a collection.")
    kind = serializers.CharField(required=False)
    search = serializers.CharField(required=False, help_text="Part of the term or of another name.")
