"""What a client of Chat Completions sends, and which question it means."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from rag.question import Turn

DEFAULT_MODEL = "knowledgetree"
"""The default assistant, which has no name of its own."""

_MOST_CHARACTERS = 2000
_MOST_MESSAGES = 200


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "object"}}]})
class MessageContent(serializers.Field[Any, Any, Any, Any]):
    """Text, or a list of parts of which the text counts."""

    default_error_messages = {"invalid": _("Write text, or a list of parts that have text.")}

    def to_internal_value(self, data: Any) -> str:
        if data is None:
            return ""
        if isinstance(data, str):
            return data
        if not isinstance(data, list) or not all(isinstance(part, dict) for part in data):
            self.fail("invalid")
        return "\n".join(str(part.get("text", "")) for part in data if part.get("type") == "text")

    def to_representation(self, value: str) -> str:
        return value


class MessageSerializer(serializers.Serializer[Any]):
    role = serializers.ChoiceField(["system", "developer", "user", "assistant", "tool", "function"])
    content = MessageContent(required=False, default="")


class StreamOptionsSerializer(serializers.Serializer[Any]):
    include_usage = serializers.BooleanField(default=False)


class CompletionSerializer(serializers.Serializer[Any]):
    """Other fields of the API, such as `temperature` and `tools`, are accepted and mean nothing here."""

    model = serializers.CharField(help_text="The identifier of an assistant, or `knowledgetree` for the default one.")
    messages = MessageSerializer(
        many=True,
        allow_empty=False,
        help_text="The last one of the user is the question; the turns before it are its background. "
        "What an assistant is told is decided here: system messages are left out.",
    )
    stream = serializers.BooleanField(default=False, allow_null=True)
    stream_options = StreamOptionsSerializer(required=False, allow_null=True)
    max_tokens = serializers.IntegerField(min_value=1, required=False, allow_null=True)
    max_completion_tokens = serializers.IntegerField(min_value=1, required=False, allow_null=True)

    def validate_messages(self, messages: list[dict[str, str]]) -> list[dict[str, str]]:
        if len(messages) > _MOST_MESSAGES:
            raise serializers.ValidationError(_("Send at most %(n)d messages.") % {"n": _MOST_MESSAGES})
        if not any(message["role"] == "user" and message["content"].strip() for message in messages):
            raise serializers.ValidationError(_("No message of the user has text."))
        return messages


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """`question` with the turns before it, oldest first."""

    question: str
    history: tuple[Turn, ...]


def asked_in(messages: Sequence[dict[str, str]]) -> Asked:
    """`messages` have at least one of the user with text."""
    last = max(n for n, message in enumerate(messages) if message["role"] == "user" and message["content"].strip())
    return Asked(question=messages[last]["content"].strip(), history=tuple(_turns(messages[:last])))


def _turns(messages: Iterable[dict[str, str]]) -> Iterable[Turn]:
    question = ""
    for message in messages:
        text = message["content"].strip()[:_MOST_CHARACTERS]
        if message["role"] == "user":
            question = text
        elif message["role"] == "assistant" and question and text:
            yield Turn(question=question, answer=text)
            question = ""
