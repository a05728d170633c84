"""What follows from events of allauth."""

from typing import Any

from allauth.account.internal.flows.login import record_authentication
from allauth.account.signals import user_logged_in
from allauth.mfa.signals import authentication_failed, authenticator_added
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from knowledgetree.identity.sessions import limit_session


@receiver(user_logged_in)
def limit_new_session(*, request: HttpRequest, **signal: Any) -> None:
    limit_session(request)


@receiver(authenticator_added)
def note_code(*, request: HttpRequest, user: User, **signal: Any) -> None:
    """Whoever set up a second factor has just entered a code of it; the recovery codes need no other."""
    record_authentication(request, user, "mfa", reauthenticated=True)


@receiver(authentication_failed)
def report_wrong_code(*, request: HttpRequest, user: User, **signal: Any) -> None:
    """A wrong code is a sign-in that failed, for whoever keeps account of those."""
    credentials = {"username": user.get_username()}
    user_login_failed.send(sender=__name__, credentials=credentials, request=request)
