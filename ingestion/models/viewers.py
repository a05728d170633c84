"""Who looks, and what they are by their permissions alone. Which rows that opens, `ingestion.selectors` says."""

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, PermissionsMixin, User

from ingestion.models.api_keys import ApiKey

Viewer = AbstractBaseUser | AnonymousUser


def holder_of(key: ApiKey, account: User | None = None) -> User:
    """The key's account, or the `account` that it acts for, as a viewer who may no more than the key does.

    `key.owner` itself is left as it is.
    """
    holder = account or User.objects.get(pk=key.owner_id)
    holder.api_key = key  # type: ignore[attr-defined]
    return holder


def key_of(viewer: Viewer) -> ApiKey | None:
    """The key by which a program looks, None for a person."""
    return getattr(viewer, "api_key", None)


def is_bound(viewer: Viewer) -> bool:
    """Whether `viewer` is a program whose key is for chosen collections alone."""
    key = key_of(viewer)
    return key is not None and key.bound


def is_superuser(viewer: Viewer) -> bool:
    """Whether `viewer` sees and does everything; nobody does whose account is switched off, nor a bound key."""
    return has_superuser_account(viewer) and not is_bound(viewer)


def has_superuser_account(viewer: Viewer) -> bool:
    """Whether the account of `viewer` is a superuser's, by whatever key they look."""
    return bool(viewer.is_active and getattr(viewer, "is_superuser", False))


def is_editor(viewer: Viewer, permission: str) -> bool:
    """Whether `viewer` is staff with the Django permission `permission`, e.g. `ingestion.view_document`."""
    return bool(getattr(viewer, "is_staff", False) and viewer.has_perm(permission))  # type: ignore[union-attr]


def sees_personal_data(viewer: Viewer) -> bool:
    """Whether `viewer` sees personal data also where a collection masks them."""
    return isinstance(viewer, PermissionsMixin) and viewer.has_perm("ingestion.see_personal_data")
