"""In JSON: the steps on the way to an answer, and what checking it against its sources came to."""

from typing import Any, get_args

from rest_framework import serializers

from rag.types import ProblemKind, StepKind, StepStatus, Verdict

STEP_KINDS = [(name, name) for name in get_args(StepKind)]
PROBLEM_KINDS = [(name, name) for name in get_args(ProblemKind)]


class StepSerializer(serializers.Serializer[Any]):
    """Numbers count from 1 in an answer; `duration` is in milliseconds."""

    number = serializers.IntegerField()
    kind = serializers.ChoiceField(STEP_KINDS)
    status = serializers.ChoiceField([(name, name) for name in get_args(StepStatus)])
    reasoning = serializers.CharField()
    queries = serializers.ListField(child=serializers.CharField())
    sources = serializers.ListField(child=serializers.CharField(), help_text="Titles, best first.")
    confidence = serializers.FloatField(allow_null=True, help_text="0 to 1.")
    duration = serializers.FloatField()


class ClaimProblemSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(PROBLEM_KINDS)
    said = serializers.CharField(help_text="What stands in the claim.")
    found = serializers.CharField(help_text="What the passages have instead, or empty.")


class CheckedClaimSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    citations = serializers.ListField(child=serializers.IntegerField())
    verdict = serializers.ChoiceField([(name, name) for name in get_args(Verdict)])
    support = serializers.FloatField(help_text="0 to 1.")
    problems = ClaimProblemSerializer(many=True)


class StatementSerializer(serializers.Serializer[Any]):
    chunk_id = serializers.IntegerField()
    document_id = serializers.IntegerField()
    title = serializers.CharField()
    quote = serializers.CharField()
    value = serializers.CharField()


class ContradictionSerializer(serializers.Serializer[Any]):
    """Two sources that differ on one thing."""

    kind = serializers.ChoiceField(PROBLEM_KINDS)
    subject = serializers.CharField(help_text="What the first says its value of; empty where one denies the other.")
    first = StatementSerializer()
    second = StatementSerializer()


class ConfidencePartSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    value = serializers.FloatField(help_text="0 to 1.")
    weight = serializers.FloatField()


class ResponseCheckSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="length, language, relevance, citations, facts.")
    passed = serializers.BooleanField()
    reason = serializers.CharField()


class VerificationSerializer(serializers.Serializer[Any]):
    """`citation_precision`: the share of `[n]` whose passage bears out its claim."""

    claims = CheckedClaimSerializer(many=True)
    contradictions = ContradictionSerializer(many=True)
    confidence = serializers.FloatField(help_text="0 to 1.")
    confidence_parts = ConfidencePartSerializer(many=True)
    checks = ResponseCheckSerializer(many=True)
    citation_precision = serializers.FloatField(help_text="0 to 1.")
