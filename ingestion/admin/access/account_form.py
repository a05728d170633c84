"""An account on one page: who it is, what role it has, which groups; single permissions stand apart."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy, override
from unfold.forms import UserChangeForm, UserCreationForm
from unfold.widgets import UnfoldAdminSelectWidget

from ingestion.admin.access.granting import grantable_groups
from ingestion.admin.access.permissions import ROLES, give_role, role_of

READER = "reader"


class RoleChoice(forms.Form):
    """The role as a field of an account's form; `put_into_role` is what choosing it does."""

    role = forms.ChoiceField(
        label=gettext_lazy("Role"),
        required=False,
        widget=UnfoldAdminSelectWidget,
        help_text=gettext_lazy("Editors and administrators may sign in here, readers only ask and read."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        account = getattr(self, "instance", None)
        held = role_of_account(account) if account and account.pk else READER
        choices = [(key, f"{role.name} – {role.text}") for key, role in ROLES.items()]
        own = [] if held else [("", gettext("a choice of its own"))]
        self.fields["role"].choices = [*own, *choices]  # type: ignore[attr-defined]
        self.fields["role"].initial = held


class AccountForm(RoleChoice, UserChangeForm):  # type: ignore[misc]
    pass


class NewAccountForm(RoleChoice, UserCreationForm):  # type: ignore[misc]
    class Meta(UserCreationForm.Meta):  # type: ignore[misc]
        fields = ("username", "first_name", "last_name", "email", "groups")


def role_of_account(account: User) -> str:
    """The key of the role that the groups of `account` make; "" where it has permissions beyond any role."""
    if account.is_superuser or account.user_permissions.exists():
        return ""
    held = {role_of(group) for group in account.groups.prefetch_related("permissions") if group.permissions.exists()}
    if "" in held:
        return ""
    return next((key for key in reversed(list(ROLES)) if key in held), READER)


def put_into_role(request: HttpRequest, account: User, key: str) -> bool:
    """Move `account` to the group of the role `key`; False where whoever asks may not give or take as much."""
    groups = {name: _ensure_group(name) for name in ROLES if name != READER}
    leaving = [group for name, group in groups.items() if name != key and account.groups.filter(pk=group.pk).exists()]
    joining = [groups[key]] if key in groups else []
    grantable = set(grantable_groups(request).values_list("pk", flat=True))
    if any(group.pk not in grantable for group in [*leaving, *joining]):
        return False
    account.groups.remove(*leaving)
    account.groups.add(*joining)
    account.is_staff = key in groups or account.is_superuser
    account.save(update_fields=["is_staff"])
    return True


def _ensure_group(key: str) -> Group:
    """The ready-made group of a role, made when first needed, called in the language of the installation.

    A group of that name which has other permissions is somebody's own: it opens other things, and is left alone.
    """
    with override(settings.LANGUAGE_CODE):
        name = {"editor": gettext("Editors"), "administrator": gettext("Administrators")}[key]
        names = [name, f"{name} ({gettext('role')})"]
    for group in Group.objects.filter(name__in=names).order_by("name"):
        if role_of(group) == key:
            return group
    taken = Group.objects.filter(name=name).exists()
    group, _is_new = Group.objects.get_or_create(name=names[taken])
    give_role(group=group, role=ROLES[key])
    return group
