"""How often a password or a code may be tried, and a mail asked for: counted in the database for all web processes."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _

from knowledgetree.http.limits import SharedRateThrottle


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


class CodeFailureLimit(SharedRateThrottle):
    """For an account, from wherever: who tries codes has its password already, and codes are short."""

    scope = "code_failure"
    strict = True

    def __init__(self, account: int) -> None:
        super().__init__()
        self._account = account

    def get_rate(self) -> str:
        return str(settings.LOGIN_FAILURE_RATE)

    def get_cache_key(self, request: HttpRequest, view: object) -> str:
        return self.cache_format % {"scope": self.scope, "ident": str(self._account)}


class ResetMailLimit(SharedRateThrottle):
    """For an address of mail, so that nobody's mailbox is filled by others."""

    scope = "reset_mail"
    strict = True

    def __init__(self, email: str) -> None:
        super().__init__()
        self._email = email

    def get_rate(self) -> str:
        return "5/hour"

    def get_cache_key(self, request: HttpRequest, view: object) -> str:
        return self.cache_format % {"scope": self.scope, "ident": self._email.casefold()}


def claim_attempt(request: HttpRequest, limit: SharedRateThrottle) -> None:
    """Counts an attempt. Raises ValidationError (throttled) where it is one too many."""
    if not limit.allow_request(request, None):  # type: ignore[arg-type]
        message = _("Too many attempts to sign in. Wait %(n)d seconds and try again.")
        raise ValidationError(message % {"n": limit.seconds_to_wait}, code="throttled")
