"""What goes wrong between us and a server of the Messages API, in our own terms."""

import re
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rag.errors import CitationsUnsupported, LLMError, LLMRejected, LLMUnavailable
from rag.llm.deadline import late

if TYPE_CHECKING:
    from anthropic import APIResponse

LONGEST_WAIT = 10.0
"""Seconds. The SDK itself obeys any `retry-after`, an hour included, while a reader waits."""

UNKNOWN_PARAMETER = frozenset({400, 422})
"""How a server says that it does not know a part of the request."""

# Error types that stand in for a status in an error event, inside a stream that began with 200.
_TEMPORARY = frozenset({"overloaded_error", "api_error", "rate_limit_error", "timeout_error"})
_TEMPORARY_STATUS = frozenset({408, 409, 429, 499})
_ABOUT_CITATIONS = re.compile(r"search_result|citation", re.IGNORECASE)


class WaitTimeout(Exception):
    """A server was silent for as long as we wait."""


def no_second_wait(request: Any, call_next: Any) -> "APIResponse[Any]":
    """Middleware of each attempt, for a reader who waits: one that was late is not repeated, and neither is one whose
    response asks for a wait of more than LONGEST_WAIT seconds.
    """
    from anthropic import APITimeoutError

    try:
        response: APIResponse[Any] = call_next(request)
    except APITimeoutError:
        raise WaitTimeout from None  # the SDK repeats its own errors, and what they are the cause of
    try:
        wait = float(response.http_response.headers.get("retry-after", 0))
    except ValueError:  # a date; no known server of this API sends one
        wait = LONGEST_WAIT + 1
    if wait > LONGEST_WAIT:
        response.http_response.headers["x-should-retry"] = "false"
    return response


def translated(error: Exception) -> LLMError:
    """Beside the SDK's own errors, its HTTP library's and those of JSON and of missing fields come through unwrapped
    once a stream has begun: a gateway may send anything.
    """
    from anthropic import APIStatusError

    if was_late(error):
        return late()
    if not isinstance(error, APIStatusError):
        return LLMUnavailable(_("The connection to the language model failed."))
    status, kind = error.status_code, error.type or ""
    reason = {"status": status if status != 200 else kind, "reason": error.api_message or error.message}
    if status >= 500 or status in _TEMPORARY_STATUS or kind in _TEMPORARY:
        return LLMUnavailable(_("The language model is not available at the moment (%(status)s).") % reason)
    rejection = CitationsUnsupported if _is_about_citations(error) else LLMRejected
    return rejection(_("The language model rejected the request (%(status)s: %(reason)s).") % reason)


def was_late(error: BaseException | None) -> bool:
    """Whether an error, ours or that of a library, is one of time."""
    return "Timeout" in type(error).__name__


def could_not_connect(error: BaseException | None) -> bool:
    """Whether an error, or what it came of, is one of making the connection."""
    while error is not None:
        if type(error).__name__ in ("ConnectTimeout", "ConnectError"):
            return True
        error = error.__cause__ or error.__context__
    return False


def _is_about_citations(error: Any) -> bool:
    told = f"{error.message} {error.body}"
    return error.status_code in UNKNOWN_PARAMETER and _ABOUT_CITATIONS.search(told) is not None
