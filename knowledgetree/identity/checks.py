"""What is missing for the directories that are configured, said before anybody signs in."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register


@register()
def check_directories(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Packages of the extras; the settings themselves are checked as they are read."""
    wrong: list[CheckMessage] = []
    if settings.LDAP and not find_spec("django_auth_ldap"):
        hint = "Install: apt install libldap2-dev libsasl2-dev gcc, then pip install 'knowledgetree[ldap]'"
        wrong.append(
            Error("LDAP_URI is set, but django-auth-ldap is not installed.", hint=hint, id="knowledgetree.E020")
        )
    if settings.SAML and not find_spec("onelogin"):
        hint = "Install: pip install 'knowledgetree[saml]'"
        wrong.append(
            Error("SAML_METADATA_URL is set, but python3-saml is not installed.", hint=hint, id="knowledgetree.E021")
        )
    if settings.REGISTRATION and not settings.EMAIL_HOST:
        hint = "Set EMAIL_HOST and EMAIL_FROM: who registers confirms an address by mail."
        wrong.append(Error("REGISTRATION needs mail.", hint=hint, id="knowledgetree.E022"))
    return wrong
