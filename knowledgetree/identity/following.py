"""Once a day the rights of whoever came by LDAP follow the directory, though nobody signs in: API keys go by them."""

import logging

from django.conf import settings
from django.contrib.auth.models import User

from knowledgetree.identity.environment import LDAPSettings
from knowledgetree.identity.errors import AccountTaken, DirectoryUnreachable
from knowledgetree.identity.memberships import update_memberships
from knowledgetree.identity.models import DirectoryAccount
from knowledgetree.identity.sessions import end_sessions

log = logging.getLogger("knowledgetree.identity")


def refresh_accounts() -> None:
    """Groups as at a sign-in. Accounts that the directory has no longer are switched off and signed out, unless it has
    none of them, which is a wrong setting rather than an empty house. A directory that is away changes nothing.
    """
    if not settings.LDAP:
        return
    accounts = DirectoryAccount.objects.filter(source=DirectoryAccount.Source.LDAP, user__is_active=True)
    users = [account.user for account in accounts.select_related("user") if not account.user.has_usable_password()]
    try:
        gone = [user for user in users if not _is_followed(user, settings.LDAP)]
    except DirectoryUnreachable as error:
        log.warning("the directory could not be followed", extra={"fields": {"reason": error.detail}})
        return
    if gone and len(gone) == len(users):
        log.error("the directory has none of its accounts any more; nothing is switched off")
        return
    for user in gone:
        User.objects.filter(pk=user.pk).update(is_active=False)
        end_sessions(user)
        log.warning("an account is gone from the directory and is switched off", extra={"fields": {"user": user.pk}})


def _is_followed(user: User, options: LDAPSettings) -> bool:
    """Whether the directory still has `user`. Raises DirectoryUnreachable."""
    from knowledgetree.identity.ldap_directory import Directory, group_names  # an extra

    try:
        found: User | None = Directory(options).populate_user(user.get_username())
    except AccountTaken:  # it got a password here in the meantime
        return True
    if found is None:
        return False
    update_memberships(found, source=DirectoryAccount.Source.LDAP, names=group_names(found))
    return True
