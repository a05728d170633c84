"""Which groups of the directory are which here. What is entered gives rights, so only superusers do it."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from ingestion.admin.base import ModelAdmin
from ingestion.models.viewers import is_superuser
from knowledgetree.identity.memberships import update_all_memberships
from knowledgetree.identity.models import DirectoryGroup


@admin.register(DirectoryGroup)
class DirectoryGroupAdmin(ModelAdmin[DirectoryGroup]):
    """A change counts at once, for everybody by what the directory said of them last."""

    list_display = ("name", "group", "makes_staff", "makes_superuser")
    list_select_related = ("group",)
    search_fields = ("name", "group__name")
    empty_value_display = "–"
    fields = ("name", "group", "makes_staff", "makes_superuser")

    class Media:
        css = {"all": ["admin/knowledgetree/admin.css"]}

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request.user)

    has_add_permission = has_module_permission

    def has_view_permission(self, request: HttpRequest, obj: DirectoryGroup | None = None) -> bool:
        return is_superuser(request.user)

    has_change_permission = has_view_permission
    has_delete_permission = has_view_permission

    def save_model(self, request: HttpRequest, obj: DirectoryGroup, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        update_all_memberships()

    def delete_model(self, request: HttpRequest, obj: DirectoryGroup) -> None:
        super().delete_model(request, obj)
        update_all_memberships()

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[DirectoryGroup]) -> None:
        super().delete_queryset(request, queryset)
        update_all_memberships()
