"""How often a reader may ask: the API's throttles, on pages."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.throttling import UserRateThrottle

from knowledgetree.http.limits import SharedRateThrottle
from rag.events import Failed


class QuestionLimit(UserRateThrottle, SharedRateThrottle):
    """Counted together with `/api/ask`: for a user or, without one, for an address."""

    scope = "ask"

    def get_rate(self) -> str:
        rates: dict[str, str] = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]  # type: ignore[assignment]
        return rates[self.scope]


class SearchLimit(QuestionLimit):
    """Counted together with `/api/search`."""

    scope = "search"


class FeedbackLimit(QuestionLimit):
    """Counted together with `/api/feedback`."""

    scope = "feedback"


def count_question(request: HttpRequest) -> int:
    """Counts a question of `request`; after how many seconds it may be asked where it is one too many, else 0."""
    limit = QuestionLimit()
    return 0 if limit.allow_request(request, None) else limit.seconds_to_wait  # type: ignore[arg-type]


def refusal(seconds: int) -> Failed:
    """What to answer to one question too many."""
    return Failed(
        code="throttled",
        message=_("Too many questions in a short time."),
        remedy=_("Wait %(n)d seconds and ask again.") % {"n": seconds},
        retryable=True,
    )
