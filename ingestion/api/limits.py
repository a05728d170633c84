"""The rate of a key, counted for all processes together."""

from typing import Any

from rest_framework.request import Request

from ingestion.models import ApiKey
from knowledgetree.http.limits import SharedRateThrottle


class KeyLimit(SharedRateThrottle):
    """What a key's own `rate` allows, beside the limits for everybody."""

    def get_rate(self) -> None:
        return None  # each key has its own

    def allow_request(self, request: Request, view: Any) -> bool:
        if not (isinstance(request.auth, ApiKey) and request.auth.rate):
            return True
        self.rate = request.auth.rate
        self.num_requests, self.duration = self.parse_rate(self.rate)  # type: ignore[assignment]
        return super().allow_request(request, view)

    def get_cache_key(self, request: Request, view: Any) -> str:
        return f"api-key {request.auth.pk}"
