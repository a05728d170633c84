"""A language model's reply as a validated value: at most two requests, the second with what the first one taught."""

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel, ValidationError

from rag.errors import LLMRejected, LLMUnavailable
from rag.llm.deadline import late, whole_text
from rag.llm.protocol import Reply
from rag.types import Tokens

T = TypeVar("T", bound=BaseModel)

# Told only where the server does not enforce it, or has not.
_FORM = "Reply with one JSON object and nothing else. It must be valid against this JSON schema:\n"
_REPAIR = "That is not valid: {errors}. "
_FENCED = re.compile(r"\A```(?:json)?\s*(.*?)\s*```\Z", re.DOTALL)
_UNKNOWN_PARAMETER = frozenset({400, 422})
_PAUSE = 0.3  # seconds before a temporary failure is tried again
_ERRORS_TOLD = 5

Send = Callable[[str, Sequence[Mapping[str, str]], Mapping[str, Any] | None, float], Reply]
"""A reply to the system prompt and the turns; with a schema that the server should enforce; seconds of each wait."""


class StructuredCall(Generic[T]):
    """One question whose answer must be a valid `schema`. `enforced`: whether the server is asked to see to it.

    The second request goes without `enforced` where the server rejects it, shows the model what was wrong with an
    invalid reply, or just repeats what failed for the moment.
    """

    def __init__(self, send: Send, *, system: str, prompt: str, schema: type[T], enforced: bool) -> None:
        from anthropic import transform_schema

        self.enforced = enforced
        self.usage = Tokens()
        self._send = send
        self._schema = schema
        self._json_schema = transform_schema(schema)
        self._form = f"{_FORM}{json.dumps(self._json_schema, ensure_ascii=False)}"
        self._system = system
        self._turns = [{"role": "user", "content": prompt}]
        self._text = ""

    def run(self, deadline: float) -> tuple[T, Tokens]:
        """Raises LLMError, among them LLMUnavailable for a reply that is still invalid."""
        try:
            return self._attempt(deadline)
        except LLMUnavailable as error:
            if deadline - time.monotonic() < _PAUSE or _told_to_wait(error):
                raise
            time.sleep(_PAUSE)
        except LLMRejected as error:
            if not (self.enforced and _status(error) in _UNKNOWN_PARAMETER):
                raise
            self.enforced = False
        except ValidationError as error:
            self._turns += [
                {"role": "assistant", "content": self._text},
                {"role": "user", "content": _REPAIR.format(errors=_in_words(error)) + self._form},
            ]
        try:
            return self._attempt(deadline)
        except ValidationError as error:
            raise LLMUnavailable(_("The language model's answer does not have the expected form.")) from error

    def _attempt(self, deadline: float) -> tuple[T, Tokens]:
        left = deadline - time.monotonic()
        if left <= 0:
            raise late()
        schema = self._json_schema if self.enforced else None
        system = self._system if self.enforced else f"{self._system}\n\n{self._form}"
        reply = self._send(system, self._turns, schema, left)
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


def _status(error: LLMRejected) -> int:
    return getattr(error.__cause__, "status_code", 0)


def _told_to_wait(error: LLMUnavailable) -> bool:
    """See `rag.llm.failures.no_second_wait`."""
    response = getattr(error.__cause__, "response", None)
    return response is not None and response.headers.get("x-should-retry") == "false"
