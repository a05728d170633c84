"""What a client of Chat Completions or of Responses sends, and which question it means."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from rag.api.filters import AS_OF
from rag.api.openai.tasks import attached_sources, own_words
from rag.question import Turn

DEFAULT_MODEL = "knowledgetree"
"""The default assistant, which has no name of its own."""

_MOST_CHARACTERS = 2000
_MOST_MESSAGES = 200
_TEXTS = {"text", "input_text", "output_text"}
_MESSAGES_HELP = (
    "The last one of the user is the question; the turns before it are its background. "
    "What an assistant is told is decided here: system messages are left out."
)


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
        return "\n".join(str(part.get("text", "")) for part in data if part.get("type") in _TEXTS)

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
    messages = MessageSerializer(many=True, allow_empty=False, help_text=_MESSAGES_HELP)
    stream = serializers.BooleanField(default=False, allow_null=True)
    stream_options = StreamOptionsSerializer(required=False, allow_null=True)
    max_tokens = serializers.IntegerField(min_value=1, required=False, allow_null=True)
    max_completion_tokens = serializers.IntegerField(min_value=1, required=False, allow_null=True)
    as_of = serializers.CharField(required=False, allow_null=True, allow_blank=True, help_text=AS_OF)

    def validate_messages(self, messages: list[dict[str, str]]) -> list[dict[str, str]]:
        return _checked(messages)


class InputItemSerializer(MessageSerializer):
    type = serializers.ChoiceField(["message"], default="message", help_text="Other items are refused.")


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "object"}}]})
class InputField(serializers.Field[Any, Any, Any, Any]):
    """A question, or messages."""

    default_error_messages = {"invalid": _("Write a question, or a list of messages.")}

    def to_internal_value(self, data: Any) -> list[dict[str, str]]:
        if isinstance(data, str):
            return _checked([{"role": "user", "content": data}])
        if not isinstance(data, list):
            self.fail("invalid")
        items = InputItemSerializer(data=data, many=True)
        items.is_valid(raise_exception=True)
        return _checked(items.validated_data)

    def to_representation(self, value: list[dict[str, str]]) -> list[dict[str, str]]:
        return value


class ResponseSerializer(serializers.Serializer[Any]):
    """Other fields of the API, such as `instructions` and `tools`, are accepted and mean nothing here."""

    model = serializers.CharField(help_text="The identifier of an assistant, or `knowledgetree` for the default one.")
    input = InputField(help_text=_MESSAGES_HELP)
    stream = serializers.BooleanField(default=False, allow_null=True)
    max_output_tokens = serializers.IntegerField(min_value=1, required=False, allow_null=True)
    as_of = serializers.CharField(required=False, allow_null=True, allow_blank=True, help_text=AS_OF)
    previous_response_id = serializers.CharField(required=False, allow_null=True, help_text="Refused.")
    conversation = serializers.JSONField(required=False, allow_null=True, help_text="Refused.")
    background = serializers.BooleanField(required=False, allow_null=True, help_text="`true` is refused.")

    def validate_previous_response_id(self, value: str | None) -> str | None:
        return _refused(value, _("Responses are not kept here. Send the turns before as messages of `input`."))

    def validate_conversation(self, value: object) -> object:
        return _refused(value, _("Conversations are not kept here. Send the turns before as messages of `input`."))

    def validate_background(self, value: bool | None) -> bool | None:
        return _refused(value, _("Responses are not made in the background. Ask with `stream` instead."))


_Value = TypeVar("_Value")


def _refused(value: _Value, told: Promise) -> _Value:
    if value:
        raise serializers.ValidationError(str(told), code="unsupported")
    return value


def _checked(messages: list[dict[str, str]]) -> list[dict[str, str]]:
    if len(messages) > _MOST_MESSAGES:
        raise serializers.ValidationError(_("Send at most %(n)d messages.") % {"n": _MOST_MESSAGES})
    if not any(message["role"] == "user" and message["content"].strip() for message in messages):
        raise serializers.ValidationError(_("No message of the user has text."))
    return messages


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """`question` with the turns before it, oldest first; `attached` numbers are those of files sent with it."""

    question: str
    history: tuple[Turn, ...]
    attached: int


def asked_in(messages: Sequence[dict[str, str]]) -> Asked:
    """`messages` have at least one of the user with text."""
    last = max(n for n, message in enumerate(messages) if message["role"] == "user" and message["content"].strip())
    prompt = messages[last]["content"].strip()
    return Asked(question=own_words(prompt), history=tuple(_turns(messages[:last])), attached=attached_sources(prompt))


def _turns(messages: Iterable[dict[str, str]]) -> Iterable[Turn]:
    question = ""
    for message in messages:
        text = own_words(message["content"].strip())[:_MOST_CHARACTERS]
        if message["role"] == "user":
            question = text
        elif message["role"] == "assistant" and question and text:
            yield Turn(question=question, answer=text)
            question = ""
