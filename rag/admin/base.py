"""What people asked is for superusers alone, and nobody rewrites it; the rest follows Django's permissions."""

from typing import TYPE_CHECKING, Any, TypeVar

from django.db.models import Model
from django.http import HttpRequest, HttpResponse

from ingestion.models.viewers import is_superuser
from knowledgetree.accessibility.inline_rows import NamedFields
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.receivers import RecordsDeletions
from knowledgetree.audit.recording import Subject, record

if TYPE_CHECKING:  # unfold has no types; its classes are Django's with other templates
    from django.contrib.admin import ModelAdmin, TabularInline
    from django.contrib.admin.options import BaseModelAdmin
else:
    from unfold.admin import ModelAdmin as UnfoldModelAdmin
    from unfold.admin import TabularInline as UnfoldTabularInline

    class BaseModelAdmin:
        def __class_getitem__(cls, model: Any) -> Any:
            return cls

    class ModelAdmin(BaseModelAdmin, RecordsDeletions, UnfoldModelAdmin):
        pass

    class TabularInline(BaseModelAdmin, NamedFields, UnfoldTabularInline):
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
    """Who opens a row is recorded."""

    list_per_page = 50

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        response = super().change_view(request, object_id, form_url, extra_context)
        if response.status_code == 200 and request.method == "GET":
            record(AuditEntry.Action.READ, subject=Subject(kind=self.opts.label_lower, number=object_id))
        return response


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
