"""The JSON of a search engine that an administrator has chosen, within a time and a size."""

import json
import time
from collections.abc import Mapping
from typing import Any

import httpx
from django.utils.translation import gettext as _

from rag.answering.correction.web_search.errors import WebSearchFailed, WebSearchRejected

_MAX_BYTES = 5_000_000
_BUSY = {408, 425, 429}


def ask(
    method: str,
    url: str,
    *,
    seconds: float,
    headers: Mapping[str, str] | None = None,
    params: Mapping[str, str] | None = None,
    body: Any = None,
) -> Any:
    """The reply. Redirects are not followed: a key goes where it was meant to go.

    Raises WebSearchFailed or WebSearchRejected, with the host alone of `url`: the rest may hold secrets.
    """
    host = httpx.URL(url).host
    try:
        with (
            httpx.Client(timeout=seconds) as client,
            client.stream(method, url, headers=headers, params=params, json=body) as reply,
        ):
            _require_success(reply.status_code, host)
            return json.loads(_read(reply, host, until=time.monotonic() + seconds))
    except httpx.TimeoutException as error:
        raise _late(host) from error
    except httpx.HTTPError as error:
        raise WebSearchFailed(_("The web search %(host)s cannot be reached.") % {"host": host}) from error
    except (ValueError, RecursionError) as error:
        raise WebSearchFailed(_("The web search %(host)s gave something else than JSON.") % {"host": host}) from error


def _require_success(status: int, host: str) -> None:
    if 200 <= status < 300:
        return
    rejected = 300 <= status < 500 and status not in _BUSY
    error = WebSearchRejected if rejected else WebSearchFailed
    raise error(_("The web search %(host)s answered %(status)d.") % {"host": host, "status": status})


def _read(reply: httpx.Response, host: str, *, until: float) -> bytes:
    body = bytearray()
    for piece in reply.iter_bytes():
        body += piece
        if len(body) > _MAX_BYTES:
            raise WebSearchFailed(_("The web search %(host)s sent too much.") % {"host": host})
        if time.monotonic() > until:
            raise _late(host)
    return bytes(body)


def _late(host: str) -> WebSearchFailed:
    return WebSearchFailed(_("The web search %(host)s did not answer in time.") % {"host": host})
