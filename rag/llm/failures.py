"""What goes wrong between us and a server of language models, in our own terms.

Both SDKs are made alike, so that their errors are known by what they carry: a status, a response, a body.
"""

import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from rag.errors import CitationsUnsupported, LLMError, LLMRejected, LLMUnavailable
from rag.llm.deadline import late

UNKNOWN_PARAMETER = frozenset({400, 422})
"""How a server says that it does not know a part of the request."""

_TEMPORARY_STATUS = frozenset({408, 409, 429, 499})
# What stands in for a status in an error event, inside a stream that began with 200.
_LASTING = re.compile(r"invalid_request|authentication|permission|not_found|billing|too_large|context_size|quota")
_NO_CREDIT = "insufficient_quota"
_ABOUT_CITATIONS = re.compile(r"search_result|citation", re.IGNORECASE)
_keys: set[str] = set()


def translated(error: Exception) -> LLMError:
    """Beside the SDK's own errors, its HTTP library's and those of JSON and of missing fields come through unwrapped
    once a stream has begun: a gateway may send anything.
    """
    if was_late(error):
        return late()
    status, kind = status_of(error), kind_of(error)
    if not status and not isinstance(getattr(error, "body", None), Mapping):
        return LLMUnavailable(_("The connection to the language model failed."))
    reason = {"status": status if status >= 400 else kind, "reason": message_of(error)}
    if may_pass(status, kind):
        return LLMUnavailable(_("The language model is not available at the moment (%(status)s).") % reason)
    about_citations = status in UNKNOWN_PARAMETER and _ABOUT_CITATIONS.search(told_by(error))
    rejection = CitationsUnsupported if about_citations else LLMRejected
    return rejection(_("The language model rejected the request (%(status)s: %(reason)s).") % reason)


def may_pass(status: int, kind: str) -> bool:
    """Whether a failure may be over in a moment: by its HTTP status, or by its kind where it came within a stream."""
    if status < 400:
        return not _LASTING.search(kind)
    return kind != _NO_CREDIT and (status >= 500 or status in _TEMPORARY_STATUS)


def status_of(error: BaseException | None) -> int:
    """The HTTP status that a server's error came with, or that it names itself in a stream; 0 where there is none."""
    named = _body(error).get("code")
    status = getattr(error, "status_code", None) or (named if isinstance(named, int) else 0)
    return int(status)


def kind_of(error: BaseException | None) -> str:
    """What kind of error the server calls it, or "": such as "overloaded_error"."""
    return str(getattr(error, "type", None) or _body(error).get("type") or getattr(error, "code", None) or "")


def message_of(error: Exception) -> str:
    """What the server says is wrong, without the key that it may repeat while refusing it."""
    told = getattr(error, "api_message", None) or _body(error).get("message") or getattr(error, "message", "")
    said = str(told or error)
    for key in _keys:
        said = said.replace(key, "•••")
    return said


def keep_secret(key: str) -> None:
    """From now on no message of a server tells `key`."""
    if key:
        _keys.add(key)


def told_by(error: Exception) -> str:
    """All that the server says, to be searched."""
    return f"{getattr(error, 'message', error)} {getattr(error, 'body', '')}"


def was_late(error: BaseException | None) -> bool:
    """Whether an error, ours or that of a library, is one of time; a server's own words about time are not."""
    return "Timeout" in type(error).__name__ and not hasattr(error, "status_code")


def could_not_connect(error: BaseException | None) -> bool:
    """Whether an error, or what it came of, is one of making the connection."""
    while error is not None:
        if type(error).__name__ in ("ConnectTimeout", "ConnectError"):
            return True
        error = error.__cause__ or error.__context__
    return False


def _body(error: BaseException | None) -> Mapping[str, Any]:
    """The part of the answer that tells of the error, whether it was sent alone or under its name."""
    body = getattr(error, "body", None)
    inner = body.get("error", body) if isinstance(body, Mapping) else None
    return inner if isinstance(inner, Mapping) else {}
