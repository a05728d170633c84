"""Users and groups in the look of the rest; hidden are the queue's own tables, where `Job` is enough, and those of
sign-in, which nobody has to touch by hand.
"""

from importlib import import_module
from typing import Any

import django_q.admin  # noqa: F401  (what it registers is taken back here)
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, User
from django.contrib.messages import WARNING
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.forms import AdminPasswordChangeForm

from ingestion.admin.access.account_form import READER, AccountForm, NewAccountForm, put_into_role
from ingestion.admin.access.granting import GrantsNoMore, KeepsEqualsOnly
from ingestion.admin.access.permissions import GroupRoles
from ingestion.admin.access.signing_in import SignInOfAccounts
from ingestion.admin.base import ModelAdmin

admin.site.unregister([User, Group])
for app in map(apps.get_app_config, ("account", "django_q", "mfa", "socialaccount", "usersessions")):
    import_module(f"{app.name}.admin")  # or it would register them after this
    for model in app.get_models():
        if admin.site.is_registered(model):
            admin.site.unregister(model)


@admin.register(User)
class UserAdmin(SignInOfAccounts, KeepsEqualsOnly, DjangoUserAdmin, ModelAdmin[User]):  # type: ignore[type-arg]
    form = AccountForm
    add_form = NewAccountForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "first_name", "last_name", "email", "shown_active", "last_login")
    fieldsets = (
        (None, {"fields": ("username", "password", ("first_name", "last_name"), "email")}),
        (_("What they may do"), {"fields": ("role", "groups", "is_active")}),
        (_("Advanced"), {"fields": ("is_staff", "is_superuser", "user_permissions"), "classes": ("collapse",)}),
        (_("Times"), {"fields": ("last_login", "date_joined"), "classes": ("collapse",)}),
    )
    add_fieldsets = (
        (None, {"fields": ("username", ("first_name", "last_name"), "email", "role", "groups")}),
        (_("Password"), {"fields": ("usable_password", "password1", "password2")}),
    )

    @admin.display(description=_("account in use"), boolean=True, ordering="is_active")
    def shown_active(self, account: User) -> bool:
        return account.is_active

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        if "role" not in form.changed_data and (change or form.cleaned_data.get("role") == READER):
            return
        role = form.cleaned_data.get("role")
        if role and not put_into_role(request, form.instance, role):
            self.message_user(request, _("The role was not changed: it is beyond your own permissions."), WARNING)


@admin.register(Group)
class GroupAdmin(GroupRoles, GrantsNoMore, DjangoGroupAdmin, ModelAdmin[Group]):  # type: ignore[misc]
    class Media:
        css = {"all": ["admin/knowledgetree/admin.css"]}
