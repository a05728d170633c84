"""Users and groups in the look of the rest; the queue's own tables hidden: `Job` is enough."""

from django.apps import apps
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, User
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from ingestion.admin.access.granting import GrantsNoMore, KeepsEqualsOnly
from ingestion.admin.access.permissions import GroupRoles
from ingestion.admin.base import ModelAdmin

admin.site.unregister([User, Group])
for model in apps.get_app_config("django_q").get_models():
    if admin.site.is_registered(model):
        admin.site.unregister(model)


@admin.register(User)
class UserAdmin(KeepsEqualsOnly, DjangoUserAdmin, ModelAdmin[User]):  # type: ignore[type-arg]
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm


@admin.register(Group)
class GroupAdmin(GroupRoles, GrantsNoMore, DjangoGroupAdmin, ModelAdmin[Group]):  # type: ignore[misc]
    class Media:
        css = {"all": ["admin/knowledgetree/admin.css"]}
