"""Who keeps accounts gives no more than they have: not a flag, not a permission, not a group, not by a new password."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import Group, Permission, User
from django.db.models import Field, Q, QuerySet
from django.forms import BaseForm, ModelMultipleChoiceField
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ingestion.models.viewers import is_superuser

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin

    Base = ModelAdmin[Any]
else:
    Base = object


def may_grant_all(request: HttpRequest) -> bool:
    return is_superuser(request.user)


def own_permissions(request: HttpRequest) -> QuerySet[Permission]:
    """Those that whoever asks holds, by themselves or by a group."""
    if may_grant_all(request):
        return Permission.objects.all()
    return Permission.objects.filter(Q(user=request.user.pk) | Q(group__user=request.user.pk)).distinct()


def grantable_groups(request: HttpRequest) -> QuerySet[Group]:
    """Groups that may nothing which whoever asks may not."""
    beyond = Permission.objects.exclude(pk__in=own_permissions(request).values("pk"))
    return Group.objects.exclude(permissions__in=beyond)


_VERBS = {"add": _("adding"), "change": _("changing"), "delete": _("deleting"), "view": _("viewing")}


def permission_in_words(permission: Permission) -> str:
    """ "Knowledge base | document: adding", where Django would say it in English; others by their own name."""
    verb = _VERBS.get(permission.codename.partition("_")[0])
    what = permission.content_type.app_labeled_name
    return f"{what}: {verb}" if verb else f"{what}: {permission.name}"


class GrantsNoMore(Base):
    """Offers what the editor may grant. What a row has beyond that is not shown in its form and stays as it is."""

    def formfield_for_manytomany(
        self, db_field: Field[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> ModelMultipleChoiceField[Any] | None:
        if db_field.related_model is Permission:
            kwargs["queryset"] = own_permissions(request).select_related("content_type")
        elif db_field.related_model is Group:
            kwargs["queryset"] = grantable_groups(request)
        field = super().formfield_for_manytomany(db_field, request, **kwargs)  # type: ignore[arg-type]
        if field and db_field.related_model is Permission:
            field.label_from_instance = permission_in_words  # type: ignore[method-assign, assignment]
        return field

    def save_related(self, request: HttpRequest, form: BaseForm, formsets: Any, change: bool) -> None:
        kept = {name: list(rows) for name, rows in self._beyond(request, form.instance).items()}  # type: ignore[attr-defined]
        super().save_related(request, form, formsets, change)
        for name, rows in kept.items():
            getattr(form.instance, name).add(*rows)  # type: ignore[attr-defined]

    def _beyond(self, request: HttpRequest, row: User | Group) -> dict[str, QuerySet[Any]]:
        own = own_permissions(request).values("pk")
        if isinstance(row, Group):
            return {"permissions": row.permissions.exclude(pk__in=own)}
        return {
            "user_permissions": row.user_permissions.exclude(pk__in=own),
            "groups": row.groups.exclude(pk__in=grantable_groups(request).values("pk")),
        }


class KeepsEqualsOnly(GrantsNoMore):
    """Accounts: whoever may more than the editor is looked at and left alone; only superusers make superusers."""

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_change_permission(request, obj) and _is_no_more(obj, request)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_delete_permission(request, obj) and _is_no_more(obj, request)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> list[Any]:
        fixed = [] if may_grant_all(request) else ["is_superuser"]
        return [*super().get_readonly_fields(request, obj), *fixed]


def _is_no_more(account: User | None, request: HttpRequest) -> bool:
    if account is None or may_grant_all(request):
        return True
    # Of an account that is switched off: what it may once it is switched on again.
    held = Permission.objects.filter(Q(user=account) | Q(group__user=account))
    return not (account.is_superuser or held.exclude(pk__in=own_permissions(request).values("pk")).exists())
