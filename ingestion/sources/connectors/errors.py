"""Why a place did not give what was asked of it. Messages are for the person who set the source up."""

from django.utils.translation import gettext_lazy as _

from knowledgetree.fetching.errors import FetchError, HTTPFailure, TooLarge
from knowledgetree.fetching.fetcher import seconds_until


class AccessDenied(FetchError):
    """The name, the password or the key is wrong or has expired, or does not reach that far."""

    code = "access_denied"
    status = 422
    remedy = _("Enter the password or the key of the source anew, or have its account allowed to read there.")


class ItemVanished(FetchError):
    """It was listed and is there no more."""

    code = "vanished"


class FoldersTooDeep(FetchError):
    """Folders in each other without an end that anybody waits for."""

    code = "too_deep"
    status = 422
    remedy = _("Make a source of its own of a folder further down.")


class UnknownRights(FetchError):
    """The place does not say who may read what, so nobody may."""

    code = "unknown_rights"
    status = 422
    remedy = _("Choose that documents have the rights of their collection, or a place that tells who may read them.")


class PackageMissing(FetchError):
    """What a kind of source is read with is not installed."""

    code = "package_missing"
    status = 422
    remedy = _("The administrator of the server installs it: pip install 'knowledgetree[connectors]'")


def http_error(status: int, *, retry_after: str = "") -> FetchError:
    """What the status of a reply means for whoever lists or fetches; `retry_after` is its header."""
    if status in {401, 403}:
        return AccessDenied(_("The server refuses the account (%(status)d).") % {"status": status})
    if status in {404, 410}:
        return ItemVanished(_("The server has no such file."))
    message = _("The server answered %(status)d.") % {"status": status}
    return HTTPFailure(message, answered=status, retry_after=seconds_until(retry_after))


def item_too_large(max_bytes: int) -> TooLarge:
    return TooLarge(_("The file is larger than %(limit).1f MB.") % {"limit": max_bytes / 1e6})


def too_many_items(most: int) -> TooLarge:
    return TooLarge(_("There are more than %(n)d items.") % {"n": most})
