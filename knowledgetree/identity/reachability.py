"""Whether the directories answer."""

from collections.abc import Iterator
from dataclasses import dataclass

import requests
from django.conf import settings
from django.utils.translation import gettext as _

from knowledgetree.identity.environment import LDAPSettings, OIDCSettings

_SECONDS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryState:
    """`detail` says who answered, or what went wrong; then `remedy` what to do."""

    name: str
    subject: str
    well: bool
    detail: str
    remedy: str = ""


def directory_states() -> Iterator[DirectoryState]:
    """One of each directory that is configured, asked now; SAML has none before somebody comes by it."""
    if settings.OIDC:
        yield _openid_connect(settings.OIDC)
    if settings.LDAP:
        yield _ldap(settings.LDAP)


def _openid_connect(options: OIDCSettings) -> DirectoryState:
    subject = "OpenID Connect"
    try:
        described = requests.get(f"{options.issuer}/.well-known/openid-configuration", timeout=_SECONDS)
        described.raise_for_status()
        issuer = str(described.json().get("issuer", ""))
    except (requests.RequestException, ValueError, AttributeError) as error:
        remedy = _("Mend OIDC_ISSUER: below it lies .well-known/openid-configuration.")
        detail = str(error).partition("\n")[0]
        return DirectoryState(name="oidc", subject=subject, well=False, detail=detail, remedy=remedy)
    if issuer.rstrip("/") != options.issuer:
        detail = _("the provider calls itself %(issuer)s") % {"issuer": issuer}
        remedy = _("Set OIDC_ISSUER to exactly this.")
        return DirectoryState(name="oidc", subject=subject, well=False, detail=detail, remedy=remedy)
    return DirectoryState(name="oidc", subject=subject, well=True, detail=issuer)


def _ldap(options: LDAPSettings) -> DirectoryState:
    import ldap  # an extra

    from knowledgetree.identity.ldap_directory import look_up_base, unreachable

    try:
        look_up_base(options)
    except ldap.LDAPError as error:
        remedy = _("Mend LDAP_URI, LDAP_BIND_DN, LDAP_BIND_PASSWORD, LDAP_USER_BASE or LDAP_GROUP_BASE.")
        return DirectoryState(name="ldap", subject="LDAP", well=False, detail=unreachable(error).detail, remedy=remedy)
    return DirectoryState(name="ldap", subject="LDAP", well=True, detail=options.uri)
