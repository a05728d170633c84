"""What people asked is for superusers alone, and nobody rewrites it; the rest follows Django's permissions."""

from typing import TYPE_CHECKING, Any, TypeVar

from django.db.models import Model
from django.http import HttpRequest

from ingestion.models.viewers import is_superuser

if TYPE_CHECKING:  # unfold has no types; its classes are Django's with other templates
    from django.contrib.admin import ModelAdmin, TabularInline
    from django.contrib.admin.options import BaseModelAdmin
else:
    from unfold.admin import ModelAdmin as UnfoldModelAdmin
    from unfold.admin import TabularInline as UnfoldTabularInline

    class BaseModelAdmin:
        def __class_getitem__(cls, model: Any) -> Any:
            return cls

    class ModelAdmin(BaseModelAdmin, UnfoldModelAdmin):
        pass

    class TabularInline(BaseModelAdmin, UnfoldTabularInline):
        pass


__all__ = [
    "BaseModelAdmin",
    "ModelAdmin",
    "Private",
    "PrivateAdmin",
    "PrivateInline",
    "ReaderFacingAdmin",
    "SuperuserAdmin",
    "TabularInline",
]

M = TypeVar("M", bound=Model)
P = TypeVar("P", bound=Model)


class Private(BaseModelAdmin[M]):
    """Superusers may read and, to honour a request to be forgotten, delete."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request.user)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class PrivateAdmin(Private[M], ModelAdmin[M]):
    list_per_page = 50


class ReaderFacingAdmin(ModelAdmin[M]):
    """What editors set up for readers, by Django's permissions."""

    list_per_page = 50
    warn_unsaved_form = True


class SuperuserAdmin(ModelAdmin[M]):
    """What costs money or sends questions elsewhere: superusers alone see it and set it up."""

    list_per_page = 50
    warn_unsaved_form = True

    class Media:
        css = {"all": ["admin/knowledgetree/admin.css"]}

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request.user)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request.user)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request.user)


class PrivateInline(Private[M], TabularInline[M, P]):
    extra = 0
    can_delete = False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return list(self.fields or ())
