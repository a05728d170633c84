"""Requests to a site, one after another, with a pause that the site can bear."""

import time
from collections.abc import Callable

from knowledgetree.credentials import Credential
from knowledgetree.fetching import Fetched, Fetcher, NotModified, Validators
from knowledgetree.fetching.errors import HTTPFailure

_LONGEST_WAIT = 60.0  # seconds; a site that asks for more gets its request at the next synchronisation


class PoliteFetcher:
    """At least `delay` seconds pass between the end of a request and the next one. For one thread.

    A server that is busy and says for how long is asked once more after that. `sleep` is time.sleep. `credential` goes
    to its own server.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        *,
        delay: float,
        sleep: Callable[[float], None] = time.sleep,
        credential: Credential | None = None,
    ) -> None:
        self.fetcher, self.delay, self._sleep, self._credential = fetcher, delay, sleep, credential
        self._ended = float("-inf")

    def get(self, url: str, *, media_types: tuple[str, ...], validators: Validators) -> Fetched | NotModified:
        """As `Fetcher.get`."""
        try:
            return self._get(url, media_types, validators)
        except HTTPFailure as error:
            if error.retry_after is None or not error.retryable or error.retry_after > _LONGEST_WAIT:
                raise
            self._sleep(max(error.retry_after, self.delay))
            return self._get(url, media_types, validators)

    def _get(self, url: str, media_types: tuple[str, ...], validators: Validators) -> Fetched | NotModified:
        self._sleep(max(0.0, self._ended + self.delay - time.monotonic()))
        try:
            return self.fetcher.get(url, media_types=media_types, validators=validators, credential=self._credential)
        finally:
            self._ended = time.monotonic()
