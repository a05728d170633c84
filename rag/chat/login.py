"""Signing in, on the readers' page and in the admin, with a limit on guessing."""

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import HttpResponse
from django.utils.translation import gettext as _
from unfold.forms import AuthenticationForm as UnfoldAuthenticationForm

from knowledgetree.http.limits import SharedRateThrottle
from rag.chat.limits import LoginFailureLimit, LoginLimit


class LimitedLoginForm(AuthenticationForm):
    """Past the limit no password is looked at, not even the right one."""

    def clean(self) -> dict[str, Any]:
        if self.request is None:
            return super().clean()
        self._admit(LoginLimit(self.cleaned_data.get("username") or ""))
        failures = LoginFailureLimit()
        self._admit(failures)
        known = super().clean()
        failures.give_back()  # an attempt counts before it is looked at, so that many at once count each
        return known

    def _admit(self, limit: SharedRateThrottle) -> None:
        if not limit.allow_request(self.request, None):  # type: ignore[arg-type]
            message = _("Too many attempts to sign in. Wait %(n)d seconds and try again.")
            raise ValidationError(message % {"n": limit.seconds_to_wait}, code="throttled")


class AdminLoginForm(LimitedLoginForm, UnfoldAuthenticationForm):  # type: ignore[misc]
    pass


class LoginPage(LoginView):
    form_class = LimitedLoginForm
    redirect_authenticated_user = True

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_invalid(form)
        if form.has_error(NON_FIELD_ERRORS, "throttled"):
            response.status_code = 429
        return response
