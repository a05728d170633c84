"""How often a reader may ask and a password may be tried: the API's throttles, on pages."""

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


class LoginLimit(SharedRateThrottle):
    """For a user name from an address, so that nobody can lock out somebody else."""

    scope = "login"
    strict = True

    def __init__(self, username: str) -> None:
        super().__init__()
        self._username = username

    def get_rate(self) -> str:
        return str(getattr(settings, "LOGIN_RATE", "10/min"))

    def get_cache_key(self, request: HttpRequest, view: object) -> str:
        who = f"{self.get_ident(request)} {self._username.casefold()}"  # type: ignore[arg-type]
        return self.cache_format % {"scope": self.scope, "ident": who}


class LoginFailureLimit(SharedRateThrottle):
    """For an address, over all user names: one password is not tried on everybody."""

    scope = "login_failure"
    strict = True

    def get_rate(self) -> str:
        return str(settings.LOGIN_FAILURE_RATE)

    def get_cache_key(self, request: HttpRequest, view: object) -> str:
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}  # type: ignore[arg-type]


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
