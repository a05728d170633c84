"""A language model's reply as a validated value: two attempts, the second with what the first one taught."""

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel, ValidationError

from rag.errors import LLMRejected, LLMUnavailable
from rag.llm.deadline import late, whole_text
from rag.llm.failures import UNKNOWN_PARAMETER, status_of
from rag.llm.protocol import Reply
from rag.llm.retries import is_worth_repeating
from rag.types import Tokens

T = TypeVar("T", bound=BaseModel)

_FORM = "Reply with one JSON object and nothing else. It must be valid against this JSON schema:\n"
_REPAIR = "That is not valid: {errors}. "
_FENCED = re.compile(r"\A```(?:json)?\s*(.*?)\s*```\Z", re.DOTALL)
_PAUSE = 0.3  # seconds before a temporary failure is tried again
_ERRORS_TOLD = 5

Send = Callable[[str, Sequence[Mapping[str, str]], str, Mapping[str, Any], float], Reply]
"""A reply to the system prompt and the turns; one of STRUCTURED_LEVELS, the JSON schema, seconds of each wait."""


class StructuredCall(Generic[T]):
    """One question whose answer must be a valid `schema`.

    `levels` are those that the server may have, best first; one that it rejects, or does not heed, is left for the
    next. `level` is the one in use. The second attempt shows the model what was wrong with an invalid reply, or just
    repeats what failed for the moment. `told`: whether the schema is put in words too where the server enforces it.
    """

    def __init__(
        self, send: Send, *, system: str, prompt: str, schema: type[T], levels: Sequence[str], told: bool = False
    ) -> None:
        # For both APIs. OpenAI's strict mode wants of a schema what Anthropic's does, that nothing unnamed is let in
        # and limits stand in descriptions, and that all is required besides: `chat_completions.dialects` adds that.
        from anthropic import transform_schema

        self.level, *self._lower = levels
        self.usage = Tokens()
        self._send = send
        self._schema = schema
        self._json_schema = transform_schema(schema)
        self._form = f"{_FORM}{json.dumps(self._json_schema, ensure_ascii=False)}"
        self._system = system
        self._told = told
        self._turns = [{"role": "user", "content": prompt}]
        self._text = ""

    def run(self, deadline: float) -> tuple[T, Tokens]:
        """Raises LLMError, among them LLMUnavailable for a reply that is still invalid."""
        try:
            return self._attempt(deadline)
        except LLMUnavailable as error:
            if deadline - time.monotonic() < _PAUSE or not _is_temporary(error):
                raise
            time.sleep(_PAUSE)
        except ValidationError as error:
            self._turns += [
                {"role": "assistant", "content": self._text},
                {"role": "user", "content": _REPAIR.format(errors=_in_words(error)) + self._form},
            ]
            if not self._text.startswith(("{", "[", "```")):  # which no server lets through that heeds the schema
                self._lower_level()
        try:
            return self._attempt(deadline)
        except ValidationError as error:
            raise LLMUnavailable(_("The language model's answer does not have the expected form.")) from error

    def _attempt(self, deadline: float) -> tuple[T, Tokens]:
        while True:
            try:
                return self._asked(deadline)
            except LLMRejected as error:
                if status_of(error.__cause__) not in UNKNOWN_PARAMETER or not self._lower_level():
                    raise

    def _lower_level(self) -> bool:
        if not self._lower:
            return False
        self.level = self._lower.pop(0)
        return True

    def _asked(self, deadline: float) -> tuple[T, Tokens]:
        left = deadline - time.monotonic()
        if left <= 0:
            raise late()
        told = self._told or self.level != "schema"
        system = f"{self._system}\n\n{self._form}" if told else self._system
        reply = self._send(system, self._turns, self.level, self._json_schema, left)
        try:
            self._text = whole_text(reply, deadline)
        finally:
            self.usage += reply.usage
        return self._schema.model_validate_json(_unfenced(self._text)), self.usage


def _unfenced(text: str) -> str:
    fenced = _FENCED.match(text)
    return fenced.group(1) if fenced else text


def _in_words(error: ValidationError) -> str:
    wrong = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(f"{'.'.join(map(str, one['loc'])) or 'JSON'}: {one['msg']}" for one in wrong[:_ERRORS_TOLD])


def _is_temporary(error: LLMUnavailable) -> bool:
    """Whether a second request may help: not where the server asks for a long pause."""
    cause = error.__cause__
    return getattr(cause, "response", None) is None or is_worth_repeating(cause)
