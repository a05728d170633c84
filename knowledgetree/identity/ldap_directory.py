"""Sign-in with the password of an LDAP directory or Active Directory, and the groups that it has there.

What django-auth-ldap would read from Django's settings is built here from LDAPSettings; python-ldap is imported only
where a directory is configured.
"""

from typing import Any

import ldap
from django.conf import settings
from django.contrib.auth.backends import BaseBackend, ModelBackend
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django_auth_ldap.backend import LDAPBackend, ldap_error
from django_auth_ldap.config import (
    GroupOfNamesType,
    GroupOfUniqueNamesType,
    LDAPSearch,
    NestedActiveDirectoryGroupType,
    PosixGroupType,
)

from knowledgetree.identity.environment import LDAPSettings
from knowledgetree.identity.errors import AccountTaken, DirectoryUnreachable
from knowledgetree.identity.memberships import update_memberships
from knowledgetree.identity.models import DirectoryAccount

_GROUP_TYPES = {
    "groupOfNames": GroupOfNamesType,
    "groupOfUniqueNames": GroupOfUniqueNamesType,
    "posixGroup": PosixGroupType,
    "activeDirectory": NestedActiveDirectoryGroupType,
}


class DirectoryBackend(BaseBackend):
    """Only says who somebody is; what they may is Django's to know, by the groups here.

    Raises DirectoryUnreachable and AccountTaken.
    """

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **rest: Any
    ) -> User | None:
        if settings.LDAP is None or not username or not password:  # an empty password would bind anonymously
            return None
        user: User | None = Directory(settings.LDAP).authenticate(request, username=username, password=password)
        if user is None or not user.is_active:
            return None
        update_memberships(user, source=DirectoryAccount.Source.LDAP, names=group_names(user))
        return user

    def get_user(self, user_id: int) -> User | None:
        found = ModelBackend().get_user(user_id)
        return found if isinstance(found, User) else None


class Directory(LDAPBackend):  # type: ignore[misc]
    """django-auth-ldap with our settings. Each use has a connection of its own."""

    def __init__(self, options: LDAPSettings) -> None:
        self._options = options
        self.default_settings = _library_settings(options)

    def get_or_build_user(self, username: str, ldap_user: Any) -> tuple[User, bool]:
        """By the name that the directory has, however it was written to sign in. Raises AccountTaken.

        An account that was made here is not opened by whoever has its name in the directory.
        """
        name = _first(ldap_user.attrs, self._options.name_attribute) or username
        user = User.objects.filter(username__iexact=name).select_related("directory_account").first()
        if user is None:
            return User(username=name.lower()), True
        known = getattr(user, "directory_account", None)
        if user.has_usable_password() or (known and known.source != DirectoryAccount.Source.LDAP):
            raise AccountTaken(_("There is already an account here with your name or your address."))
        return user, False


def group_names(user: User) -> list[str]:
    """The DNs and the short names of the groups of somebody whom the directory just gave.

    Raises DirectoryUnreachable.
    """
    if not settings.LDAP or not settings.LDAP.group_base:
        return []
    told: Any = user.ldap_user  # type: ignore[attr-defined]
    try:
        return [*told.group_dns, *(name for name in told.group_names if name)]
    except ldap.LDAPError as error:
        raise unreachable(error) from error


def unreachable(error: ldap.LDAPError) -> DirectoryUnreachable:
    return DirectoryUnreachable(_("The directory does not answer just now."), detail=_description(error))


def look_up_base(options: LDAPSettings) -> None:
    """Ask the directory for what everybody is searched below, as the account for searches.

    Raises ldap.LDAPError.
    """
    connection = ldap.initialize(options.uri, bytes_mode=False)
    for option, value in _connection_options(options).items():
        connection.set_option(option, value)
    if options.start_tls:
        connection.start_tls_s()
    connection.simple_bind_s(options.bind_dn, options.bind_password)
    for base in filter(None, (options.user_base, options.group_base)):
        connection.search_s(base, ldap.SCOPE_BASE, attrlist=["1.1"])
    connection.unbind_s()


def _report_unreachable(*, exception: ldap.LDAPError, **told: Any) -> None:
    """Without this the library would call a directory that is away a wrong password."""
    raise unreachable(exception) from exception


ldap_error.connect(_report_unreachable, dispatch_uid="knowledgetree.identity")


def _library_settings(options: LDAPSettings) -> dict[str, Any]:
    attributes = {"first_name": "givenName", "last_name": "sn", "email": "mail"}
    return {
        "SERVER_URI": options.uri,
        "START_TLS": options.start_tls,
        "BIND_DN": options.bind_dn,
        "BIND_PASSWORD": options.bind_password,
        "CONNECTION_OPTIONS": _connection_options(options),
        "USER_SEARCH": LDAPSearch(options.user_base, ldap.SCOPE_SUBTREE, options.user_filter),
        "USER_ATTR_MAP": attributes,
        "GROUP_SEARCH": LDAPSearch(options.group_base, ldap.SCOPE_SUBTREE),
        "GROUP_TYPE": _GROUP_TYPES[options.group_kind](),
    }


def _connection_options(options: LDAPSettings) -> dict[int, Any]:
    """Referrals of Active Directory lead where nobody is bound. The new context has to come last."""
    chosen: dict[int, Any] = {
        ldap.OPT_REFERRALS: 0,
        ldap.OPT_NETWORK_TIMEOUT: options.seconds,
        ldap.OPT_TIMEOUT: options.seconds,
        ldap.OPT_X_TLS_REQUIRE_CERT: ldap.OPT_X_TLS_DEMAND,
    }
    if options.ca_file:
        chosen[ldap.OPT_X_TLS_CACERTFILE] = options.ca_file
    return chosen | {ldap.OPT_X_TLS_NEWCTX: 0}


def _first(attributes: Any, name: str) -> str:
    """Names of attributes are alike in any case."""
    values = next((found for key, found in attributes.items() if key.lower() == name.lower()), None)
    return str(values[0]) if values else ""


def _description(error: ldap.LDAPError) -> str:
    told = error.args[0] if error.args and isinstance(error.args[0], dict) else {}
    return str(told.get("desc") or error)
