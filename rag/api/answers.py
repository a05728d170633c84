"""Answers in JSON: the whole result of a question."""

from typing import Any, get_args

from rest_framework import serializers

from rag.api.passages import (
    ORIGINS,
    CorrectionSerializer,
    PassageSerializer,
    PlaceSerializer,
    TokensSerializer,
    TraceEntrySerializer,
)
from rag.api.verification import StepSerializer, VerificationSerializer
from rag.types import Outcome


class CitationSerializer(PlaceSerializer):
    """`[number]` in the answer; `quote` is exactly what stands at that place of the document."""

    number = serializers.IntegerField()
    chunk_id = serializers.IntegerField()
    document_id = serializers.IntegerField()
    title = serializers.CharField()
    uri = serializers.CharField()
    quote = serializers.CharField()
    score = serializers.FloatField()
    origin = serializers.ChoiceField(ORIGINS)
    url = serializers.CharField(help_text="Opens the document with the quote marked.")


class DefinitionSerializer(serializers.Serializer[Any]):
    term = serializers.CharField()
    definition = serializers.CharField()


class RelatedDocumentSerializer(serializers.Serializer[Any]):
    """A document that belongs to the sources and is not cited."""

    document_id = serializers.IntegerField()
    title = serializers.CharField()
    collection = serializers.CharField(help_text="Identifier.")
    collection_name = serializers.CharField()
    names = serializers.ListField(child=serializers.CharField(), help_text="Shared with what is cited.")
    near = serializers.BooleanField(help_text="It says something near to what is cited.")
    url = serializers.CharField(help_text="Opens the document.")


class SearchedWordSerializer(serializers.Serializer[Any]):
    """A word of the question, or a phrase that has other words, and what was searched for it."""

    typed = serializers.CharField()
    read_as = serializers.ListField(
        child=serializers.CharField(), help_text="Spellings searched instead of it, the likeliest first."
    )
    other_words = serializers.ListField(child=serializers.CharField(), help_text="Synonyms searched beside it.")
    in_documents = serializers.BooleanField(help_text="Whether any searched document has the word, however inflected.")


class NearSectionSerializer(serializers.Serializer[Any]):
    """A section that comes near to what was asked, though it does not answer it."""

    document_id = serializers.IntegerField()
    title = serializers.CharField()
    headings = serializers.ListField(child=serializers.CharField(), help_text="Outermost first, without the title.")
    url = serializers.CharField(help_text="Opens the document with the passage marked.")


class NoticeSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    message = serializers.CharField()
    link = serializers.CharField(help_text="What `url` asks instead; empty where there is nothing to ask.")
    url = serializers.CharField(help_text="The chat page with that question.")


class MetricsSerializer(serializers.Serializer[Any]):
    latency = serializers.DictField(child=serializers.FloatField(), help_text="Milliseconds per stage.")
    tokens = TokensSerializer()
    usage = serializers.DictField(child=TokensSerializer(), help_text="Of the language models, by step.")
    models = serializers.DictField(child=serializers.CharField(), help_text="By step.")
    costs = serializers.DictField(child=serializers.FloatField(), help_text="US dollars by step.")
    cost = serializers.FloatField(help_text="US dollars.")
    unpriced = serializers.ListField(
        child=serializers.CharField(), help_text="Models without a price: their tokens are not in `cost`."
    )
    corrected = serializers.BooleanField(help_text="The first search was poor, and a second one was better.")
    web_fallback = serializers.BooleanField(help_text="The web was searched.")
    cache = serializers.CharField(help_text="The cache that had the answer, else empty.")
    chunks_total = serializers.IntegerField()
    chunks_retrieved = serializers.IntegerField()
    chunks_used = serializers.IntegerField()
    lexical_hits = serializers.IntegerField(help_text="Passages that a word of the question found.")
    preset = serializers.CharField()
    model = serializers.CharField()
    trace = TraceEntrySerializer(many=True)


class QuestionAnalysisSerializer(serializers.Serializer[Any]):
    intent = serializers.CharField(
        help_text="performance, comparison, technical, summary, factoid, procedure, unknown."
    )
    confidence = serializers.FloatField(help_text="0 to 1.")
    keywords = serializers.ListField(child=serializers.CharField(), help_text="Lemmas, the most specific first.")
    entities = serializers.ListField(child=serializers.CharField())


class AnswerSerializer(serializers.Serializer[Any]):
    """`text` carries `[n]` after each claim; `citations` are in order of n."""

    question = serializers.CharField()
    searched = serializers.CharField(
        help_text="A follow-up as it was understood, or a foreign question in the documents' language; else empty."
    )
    text = serializers.CharField()
    outcome = serializers.ChoiceField([(name, name) for name in get_args(Outcome)])
    language = serializers.CharField(help_text="Of the question and of the answer: pl, en, de, uk, ru.")
    citations = CitationSerializer(many=True)
    passages = PassageSerializer(many=True)
    uncited_claims = serializers.ListField(child=serializers.CharField())
    removed_citations = serializers.IntegerField(help_text="Numbers that pointed nowhere and were taken out.")
    corrections = CorrectionSerializer(many=True)
    definitions = DefinitionSerializer(many=True, help_text="Words of the question that the glossary explains.")
    related = RelatedDocumentSerializer(many=True, help_text="Documents to read besides; none of them is a source.")
    searched_words = SearchedWordSerializer(
        many=True, help_text="What was looked for; only where the outcome is `not_found` or `not_certain`."
    )
    nearest_sections = NearSectionSerializer(
        many=True, help_text="At most five, the nearest first; only where the outcome is `not_found` or `not_certain`."
    )
    analysis = QuestionAnalysisSerializer()
    notices = NoticeSerializer(many=True)
    quality = serializers.CharField(help_text="Of the passages: HIGH, MEDIUM, LOW, or empty.")
    verification = VerificationSerializer()
    steps = StepSerializer(many=True)
    confidence = serializers.FloatField(help_text="0 to 1.")
    synthesizer = serializers.CharField()
    prompt_hash = serializers.CharField(help_text="Of the prompt files, where a model wrote the answer.")
    metrics = MetricsSerializer()
