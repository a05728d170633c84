"""A JSON endpoint that may be busy, slow or away."""

import time
from typing import Any

import httpx
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from ingestion.embedding.rate import Patience, RateLimit, retry_after
from ingestion.errors import EmbedderUnavailable, EmbeddingRefused, InvalidEmbedding

_BUSY = {408, 409, 425, 429}  # besides every 5xx: the same request can succeed later


class Endpoint:
    """Posts JSON to `url`, with `path` appended unless it stands there already. Safe to call from several threads.

    `api_key` goes out as a bearer token and nowhere else. Times in seconds: `connect_timeout` to reach the server,
    `timeout` for each next piece of its reply.
    """

    def __init__(
        self,
        url: str,
        path: str,
        *,
        api_key: str,
        connect_timeout: float,
        timeout: float,
        requests_per_minute: int,
    ) -> None:
        address = httpx.URL(url)
        if address.scheme not in {"http", "https"} or not address.host:
            raise ImproperlyConfigured("EMBEDDING_URL is no address; write for example http://localhost:8080/v1.")
        prefix = address.path.rstrip("/")
        self._url = address if prefix.endswith(path) else address.copy_with(path=prefix + path)
        self._host = address.host  # all that errors say of the address: the rest may hold secrets
        self._client = httpx.Client(
            headers={"authorization": f"Bearer {api_key}"} if api_key else {},
            timeout=httpx.Timeout(timeout, connect=connect_timeout, pool=None),
            limits=httpx.Limits(max_connections=None),
        )
        self._rate = RateLimit(requests_per_minute)

    def post(self, body: dict[str, Any], patience: Patience) -> Any:
        """The JSON of the reply.

        Raises EmbedderUnavailable after the last retry, EmbeddingRefused at once for what a retry cannot change, and
        InvalidEmbedding for a reply that is no JSON.
        """
        for retry in range(1, patience.retries + 2):
            self._rate.wait()
            asked: float | None = None
            cause: Exception | None = None
            try:
                response = self._client.post(self._url, json=body)
            except httpx.TransportError as error:
                problem, cause = type(error).__name__, error
            else:
                if response.is_success:
                    return self._json(response)
                problem = f"HTTP {response.status_code}"
                if response.status_code not in _BUSY and response.status_code < 500:
                    raise self._refused(response)
                asked = retry_after(response.headers.get("retry-after"))
            wait = patience.wait_before(retry, asked=asked)
            if wait is None:
                break
            time.sleep(wait)
        raise EmbedderUnavailable(
            _("The embedding service %(host)s does not answer (%(problem)s).")
            % {"host": self._host, "problem": problem}
        ) from cause

    def _json(self, response: httpx.Response) -> Any:
        try:
            return response.json()
        except ValueError as error:
            raise InvalidEmbedding(
                _("The embedding service %(host)s gave a reply that cannot be read.") % {"host": self._host}
            ) from error

    def _refused(self, response: httpx.Response) -> EmbeddingRefused:
        return EmbeddingRefused(
            _("The embedding service %(host)s refused the request (HTTP %(status)d): %(reason)s")
            % {"host": self._host, "status": response.status_code, "reason": response.text[:200].strip()}
        )
