"""Who looks, and what they are by their permissions alone. Which rows that opens, `ingestion.selectors` says."""

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, PermissionsMixin

Viewer = AbstractBaseUser | AnonymousUser


def is_superuser(viewer: Viewer) -> bool:
    """Whether `viewer` sees and does everything; nobody does whose account is switched off."""
    return bool(viewer.is_active and getattr(viewer, "is_superuser", False))


def is_editor(viewer: Viewer, permission: str) -> bool:
    """Whether `viewer` is staff with the Django permission `permission`, e.g. `ingestion.view_document`."""
    return bool(getattr(viewer, "is_staff", False) and viewer.has_perm(permission))  # type: ignore[union-attr]


def sees_personal_data(viewer: Viewer) -> bool:
    """Whether `viewer` sees personal data also where a collection masks them."""
    return isinstance(viewer, PermissionsMixin) and viewer.has_perm("ingestion.see_personal_data")
