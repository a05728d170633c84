"""Why nobody is signed in though a directory knows them."""

from django.utils.translation import gettext_lazy as _

from knowledgetree.errors import KnowledgeTreeError


class SignInRefused(KnowledgeTreeError):
    """A sign-in by a directory came to nothing."""

    code = "sign_in_refused"
    status = 403


class ProviderFailed(SignInRefused):
    """The directory did not answer, or its answer does not hold: another issuer, a state that nobody asked for."""

    code = "provider_failed"
    status = 401
    remedy = _("Start again. If it happens again, tell the administrator, whose log has the reason.")


class AccountsAreClosed(SignInRefused):
    """The directory knows somebody who has no account here, and makes none."""

    code = "no_account"
    remedy = _("Ask the administrator for an account.")


class AccountTaken(SignInRefused):
    """Another account has the name or the address: whose it is, a person has to say."""

    code = "account_taken"
    remedy = _("Sign in to it with its password, or ask the administrator to join the two.")


class DirectoryUnreachable(KnowledgeTreeError):
    """The LDAP directory does not answer, so that nobody can tell whether a password is right."""

    code = "directory_unreachable"
    status = 503
    retryable = True
    remedy = _("Try again in a moment. Accounts that were made here still sign in.")
