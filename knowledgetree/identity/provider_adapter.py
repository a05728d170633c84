"""Who comes by OpenID Connect or SAML: which account is theirs, whether they get one, and their groups."""

import logging
from typing import Any

from allauth.account.utils import user_username
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base import AuthError, AuthProcess
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from knowledgetree.identity.environment import OIDCSettings
from knowledgetree.identity.errors import AccountsAreClosed, AccountTaken, ProviderFailed, SignInRefused
from knowledgetree.identity.memberships import update_memberships
from knowledgetree.identity.models import DirectoryAccount
from knowledgetree.identity.provider_groups import groups_of_attributes, groups_of_claims

log = logging.getLogger("knowledgetree.identity")


class ProviderAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """allauth has checked the provider's answer; what it leaves open is decided here, and a refusal is one page."""

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        try:
            self._check(sociallogin)
            if sociallogin.is_existing:
                _update_groups(sociallogin)
        except SignInRefused as error:
            raise ImmediateHttpResponse(refused_page(request, error)) from error

    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:
        user: User = super().save_user(request, sociallogin, form)
        _update_groups(sociallogin)
        return user

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        return True  # `_check` has refused those who get no account

    def on_authentication_error(self, request: HttpRequest, provider: Any, error: Any = None, **told: Any) -> None:
        if error == AuthError.CANCELLED:
            raise ImmediateHttpResponse(redirect("login"))
        reason = told.get("exception") or told.get("extra_context", {}).get("saml_last_error_reason") or error
        log.warning("a sign-in by the directory failed", extra={"fields": {"reason": str(reason)}})
        refusal = ProviderFailed(_("The sign-in by the directory did not succeed."))
        raise ImmediateHttpResponse(refused_page(request, refusal))

    def _check(self, sociallogin: SocialLogin) -> None:
        """Raises SignInRefused."""
        if sociallogin.state.get("process") != AuthProcess.LOGIN:  # to join two accounts is no reader's to do
            raise ProviderFailed(_("The sign-in by the directory did not succeed."))
        if sociallogin.account.provider != "saml":
            _check_tokens(sociallogin.account.extra_data)
        if not sociallogin.is_existing:
            _check_new_account(sociallogin)


def _check_tokens(told: dict[str, Any]) -> None:
    """What allauth leaves open: the issuer is the configured one, and both sources speak of the same person."""
    token, endpoint = told.get("id_token") or {}, told.get("userinfo") or {}
    if not settings.OIDC or str(token.get("iss", "")).rstrip("/") != settings.OIDC.issuer:
        log.warning("an identity token of another issuer", extra={"fields": {"issuer": str(token.get("iss"))}})
        raise ProviderFailed(_("The sign-in by the directory did not succeed."))
    if endpoint and endpoint.get("sub") != token.get("sub"):
        log.warning("the token and the endpoint of the provider speak of different people")
        raise ProviderFailed(_("The sign-in by the directory did not succeed."))


def _check_new_account(sociallogin: SocialLogin) -> None:
    if not _settings_of(sociallogin).create_accounts:
        raise AccountsAreClosed(_("You have no account here."))
    user: User = sociallogin.user
    same = Q(username__iexact=user_username(user))
    if user.email:
        same |= Q(email__iexact=user.email) | Q(emailaddress__email__iexact=user.email)
    if User.objects.filter(same).exists():
        raise AccountTaken(_("There is already an account here with your name or your address."))


def _update_groups(sociallogin: SocialLogin) -> None:
    told, options = sociallogin.account.extra_data, _settings_of(sociallogin)
    if isinstance(options, OIDCSettings):
        source, names = DirectoryAccount.Source.OIDC, groups_of_claims(told, options.groups_claim)
    else:
        source, names = DirectoryAccount.Source.SAML, groups_of_attributes(told, options.groups_attribute)
    update_memberships(sociallogin.user, source=source, names=names)


def _settings_of(sociallogin: SocialLogin) -> Any:
    return settings.SAML if sociallogin.account.provider == "saml" else settings.OIDC


def refused_page(request: HttpRequest, error: SignInRefused) -> HttpResponse:
    return render(request, "account/refused.html", {"error": error}, status=error.status)
