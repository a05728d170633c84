"""allauth's pages where they have to say or do something of ours."""

from typing import Any

from allauth.account.forms import LoginForm
from allauth.account.utils import get_next_redirect_url
from allauth.account.views import LoginView, PasswordChangeView, PasswordResetView
from allauth.socialaccount.adapter import get_adapter
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import NON_FIELD_ERRORS, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _


class LoginPage(LoginView):  # type: ignore[misc]
    """The one door: name and password, and a link to each directory that has a door of its own."""

    def form_invalid(self, form: LoginForm) -> HttpResponse:
        response: HttpResponse = super().form_invalid(form)
        if form.has_error(NON_FIELD_ERRORS, "throttled"):
            response.status_code = 429
        elif form.has_error(NON_FIELD_ERRORS, "directory_unreachable"):
            response.status_code = 503
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        ways = {"resets": bool(settings.EMAIL_HOST), "registers": settings.REGISTRATION}
        return context | ways | {"doors": _doors(self.request)}


class OwnPasswordPage(PasswordChangeView):  # type: ignore[misc]
    """Who signs in by a directory has no password here, and gets none."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.has_usable_password():  # type: ignore[union-attr]
            return redirect("chat:account")
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return response


class ResetPage(PasswordResetView):  # type: ignore[misc]
    """Not there where no mail can be sent."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not settings.EMAIL_HOST:
            raise Http404
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return response


def to_the_login_page(request: HttpRequest) -> HttpResponse:
    """The admin has no door of its own, or it would be one without second factor and directory."""
    wanted = get_next_redirect_url(request) or "/admin/"
    if request.user.is_authenticated:
        if not request.user.is_staff:
            raise PermissionDenied
        return redirect(wanted)
    return redirect_to_login(wanted)


def _doors(request: HttpRequest) -> list[dict[str, str]]:
    """Links to the directories, each with where to go on afterwards."""
    wanted = get_next_redirect_url(request)
    onwards = {"next": wanted} if wanted else {}
    doors = []
    for provider in get_adapter().list_providers(request):
        address = provider.get_login_url(request, process="login", **onwards)
        doors.append({"words": _("Sign in with %(name)s") % {"name": provider.name}, "address": address})
    return doors
