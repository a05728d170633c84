"""Passages in JSON, each with the reason why it was found."""

from typing import Any, get_args

from rest_framework import serializers

from rag.types import FusionMethod, SubstituteOrigin

ORIGINS = [("document", "document"), ("web", "web")]
SUBSTITUTE_ORIGINS = [(name, name) for name in get_args(SubstituteOrigin)]


class SubstituteSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    origin = serializers.ChoiceField(SUBSTITUTE_ORIGINS, help_text="Who says that it means the same.")


class WordMatchSerializer(serializers.Serializer[Any]):
    typed = serializers.CharField()
    lemma = serializers.CharField()
    forms = serializers.ListField(child=serializers.CharField(), help_text="As they stand in the passage.")
    contribution = serializers.FloatField(help_text="Share of the lexical score, in score points.")
    substitutes = SubstituteSerializer(
        many=True, help_text="Stand in the passage for the word, or for a phrase that it is part of."
    )


class BoostSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    value = serializers.FloatField(help_text="What it added to the score.")
    reason = serializers.CharField()


class ExplanationSerializer(serializers.Serializer[Any]):
    """Ranks count from 1; null: that leg of the search did not return the passage."""

    similarity = serializers.FloatField(allow_null=True, help_text="Cosine, -1 to 1.")
    dense_rank = serializers.IntegerField(allow_null=True)
    sentence = serializers.IntegerField(help_text="Number of the sentence the vector was of; 0: the whole passage.")
    lexical_score = serializers.FloatField(allow_null=True, help_text="BM25, unbounded.")
    lexical_rank = serializers.IntegerField(allow_null=True)
    words = WordMatchSerializer(many=True)
    coverage = serializers.FloatField(help_text="Share of the question's words found, 0 to 1.")
    fusion_method = serializers.ChoiceField([(name, name) for name in get_args(FusionMethod)])
    fusion_score = serializers.FloatField()
    graph_score = serializers.FloatField(
        allow_null=True, help_text="Root of the share of the walk from the question's names."
    )
    graph_rank = serializers.IntegerField(allow_null=True)
    graph_path = serializers.ListField(child=serializers.CharField(), help_text="Names that lead to the passage.")
    variants = serializers.ListField(child=serializers.CharField(), help_text="Other wordings that found it.")
    reranker = serializers.CharField(help_text="Empty: not reranked.")
    reranker_score = serializers.FloatField(allow_null=True)
    boosts = BoostSerializer(many=True)
    alike = serializers.ListField(child=serializers.IntegerField(), help_text="Chunks it stands for.")
    neighbours = serializers.ListField(child=serializers.IntegerField(), help_text="Chunks its text was extended by.")


class PlaceSerializer(serializers.Serializer[Any]):
    """Characters [start, end) of the document's text; lines and pages count from 1, both ends inclusive."""

    start = serializers.IntegerField()
    end = serializers.IntegerField()
    line_start = serializers.IntegerField()
    line_end = serializers.IntegerField()
    page_start = serializers.IntegerField(allow_null=True)
    page_end = serializers.IntegerField(allow_null=True)
    heading_path = serializers.ListField(child=serializers.CharField(), help_text="Outermost first.")


class ChunkPlaceSerializer(serializers.Serializer[Any]):
    """A chunk of a passage that was extended by its neighbours."""

    chunk_id = serializers.IntegerField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    page_start = serializers.IntegerField(allow_null=True)
    page_end = serializers.IntegerField(allow_null=True)
    heading_path = serializers.ListField(child=serializers.CharField(), help_text="Outermost first.")


class TimeInForceSerializer(serializers.Serializer[Any]):
    """When what a passage says was or will be in force, both days included; null: not known."""

    first = serializers.DateField(allow_null=True)
    last = serializers.DateField(allow_null=True)


class PassageSerializer(PlaceSerializer):
    """`relevance` (0 to 1) can be compared between questions, `score` cannot."""

    chunk_id = serializers.IntegerField()
    document_id = serializers.IntegerField()
    collection = serializers.CharField()
    title = serializers.CharField()
    uri = serializers.CharField()
    media_type = serializers.CharField()
    text = serializers.CharField()
    context_before = serializers.CharField()
    context_after = serializers.CharField()
    category = serializers.CharField()
    tags = serializers.ListField(child=serializers.CharField())
    dated = serializers.DateField(allow_null=True, help_text="In force from, else last changed.")
    held = TimeInForceSerializer(allow_null=True, help_text="Null: in force today.")
    origin = serializers.ChoiceField(ORIGINS)
    extractor = serializers.CharField(help_text="That read the text the places are in.")
    second = serializers.BooleanField(help_text="Whether that is not the document's own text but one read beside it.")
    places = ChunkPlaceSerializer(many=True, help_text="Where neighbours were added: all chunks, in order.")
    score = serializers.FloatField()
    relevance = serializers.FloatField()
    explanation = ExplanationSerializer()


class CorrectionSerializer(serializers.Serializer[Any]):
    typed = serializers.CharField()
    searched = serializers.CharField()


class TraceEntrySerializer(serializers.Serializer[Any]):
    stage = serializers.CharField()
    applied = serializers.BooleanField()
    reason = serializers.CharField(help_text="What the stage did, or why it did nothing.")


class TokensSerializer(serializers.Serializer[Any]):
    input = serializers.IntegerField()
    output = serializers.IntegerField()
    total = serializers.IntegerField()
    cache_read = serializers.IntegerField(help_text="Of the input, what came from the provider's prompt cache.")
    cache_write = serializers.IntegerField(help_text="Of the input, what was written into it.")


class SearchResultSerializer(serializers.Serializer[Any]):
    """Passages, best first. `latency` is in milliseconds per stage."""

    passages = PassageSerializer(many=True)
    corrections = CorrectionSerializer(many=True)
    quality = serializers.CharField(help_text="HIGH, MEDIUM or LOW where it was graded, else empty.")
    chunks_total = serializers.IntegerField(help_text="Chunks searched.")
    latency = serializers.DictField(child=serializers.FloatField())
    usage = serializers.DictField(child=TokensSerializer(), help_text="Of a language model, by step.")
    trace = TraceEntrySerializer(many=True)
