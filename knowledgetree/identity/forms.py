"""allauth's forms, with limits on whatever could be guessed in them."""

from typing import Any

from allauth.account.forms import ChangePasswordForm, LoginForm, ResetPasswordForm
from allauth.core import context
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.totp.forms import ActivateTOTPForm
from django.http import HttpRequest, HttpResponse

from knowledgetree.identity.limits import CodeFailureLimit, LoginFailureLimit, LoginLimit, ResetMailLimit, claim_attempt
from knowledgetree.identity.sessions import limit_session


class NameAndPasswordForm(LoginForm):  # type: ignore[misc]
    """The adapter counts; here the session of who comes by a directory gets its end."""

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> HttpResponse:
        response: HttpResponse = super().login(request, redirect_url)
        limit_session(request)  # after allauth, which sets the end of every session anew
        return response


class LimitedChangePasswordForm(ChangePasswordForm):  # type: ignore[misc]
    """Who found a browser signed in shall not find the password by trying."""

    def clean_oldpassword(self) -> str:
        failures = LoginFailureLimit()
        claim_attempt(context.request, LoginLimit(self.user.get_username()))
        claim_attempt(context.request, failures)
        known: str = super().clean_oldpassword()
        failures.give_back()
        return known


class LimitedResetPasswordForm(ResetPasswordForm):  # type: ignore[misc]
    def clean_email(self) -> str:
        email: str = super().clean_email()
        claim_attempt(context.request, LoginFailureLimit())
        claim_attempt(context.request, ResetMailLimit(email))
        return email


class _LimitedCode:
    """Codes of the second factor: at most so many that guessing one takes years."""

    user: Any

    def clean_code(self) -> str:
        failures = CodeFailureLimit(self.user.pk)
        claim_attempt(context.request, LoginLimit(f"code {self.user.pk}"))
        claim_attempt(context.request, failures)
        code: str = super().clean_code()  # type: ignore[misc]
        failures.give_back()
        return code


class LimitedAuthenticateForm(_LimitedCode, AuthenticateForm):  # type: ignore[misc]
    pass


class LimitedReauthenticateForm(_LimitedCode, ReauthenticateForm):  # type: ignore[misc]
    pass


class LimitedActivateForm(_LimitedCode, ActivateTOTPForm):  # type: ignore[misc]
    pass
