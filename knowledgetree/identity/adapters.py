"""django-allauth as this installation wants it: its limits, its rules of who gets an account, no messages."""

from ipaddress import ip_address
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from rest_framework.throttling import BaseThrottle

from knowledgetree.encryption import decrypt_secret, encrypt_secret
from knowledgetree.identity.errors import AccountTaken, DirectoryUnreachable
from knowledgetree.identity.limits import LoginFailureLimit, LoginLimit, claim_attempt

NO_ADDRESS = "::"


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Past the limit no password is looked at, not even the right one; by whatever page it comes."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": _("The user name or the password is not right."),
        "enter_current_password": _("This is not the current password."),
        "incorrect_password": _("This is not the current password."),
    }

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Raises ValidationError where there have been too many attempts, and where the directory cannot say."""
        try:
            user: User | None = super().authenticate(request, **credentials)
        except (DirectoryUnreachable, AccountTaken) as error:  # whoever comes so has guessed nothing
            self._failures.give_back()
            raise ValidationError(str(error).partition("\n")[0], code=error.code) from error
        if user:
            self._failures.give_back()
        return user

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """An attempt counts before it is looked at, so that many at once count each. Raises ValidationError."""
        claim_attempt(request, LoginLimit(str(credentials.get("username", ""))))
        self._failures = LoginFailureLimit()
        claim_attempt(request, self._failures)

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return bool(settings.REGISTRATION)

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address that the limits count by, so that both believe the same proxies; of a socket there is none."""
        told = str(BaseThrottle().get_ident(request))  # type: ignore[arg-type]
        try:
            return str(ip_address(told))
        except ValueError:
            return NO_ADDRESS

    def send_password_reset_mail(self, user: User, email: str, context: dict[str, Any]) -> None:
        """Not to who signs in by a directory: a password here would outlive the account there."""
        if user.has_usable_password():
            super().send_password_reset_mail(user, email, context)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("chat:account")

    def add_message(self, request: HttpRequest, level: int, *args: Any, **kwargs: Any) -> None:
        """None: pages say themselves what has been done, and the reader's show no messages."""


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Keys of second factors are kept encrypted."""

    def encrypt(self, text: str) -> str:
        return encrypt_secret(text)

    def decrypt(self, encrypted_text: str) -> str:
        return decrypt_secret(encrypted_text)
