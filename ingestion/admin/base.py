"""What every admin class here shares: unfold's look, Django's types, permitted collections only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from django.db.models import Field, Model, QuerySet
from django.forms import ModelChoiceField
from django.http import HttpRequest

from ingestion.models import Collection
from ingestion.selectors import in_visible_collections, visible_collections
from knowledgetree.accessibility.inline_rows import NamedFields
from knowledgetree.audit.receivers import RecordsDeletions

if TYPE_CHECKING:  # unfold has no types; its classes are Django's with other templates
    from django.contrib.admin import ModelAdmin, TabularInline
else:
    from unfold.admin import ModelAdmin as UnfoldModelAdmin
    from unfold.admin import TabularInline as UnfoldTabularInline

    class ModelAdmin(RecordsDeletions, UnfoldModelAdmin):
        def __class_getitem__(cls, model: type[Model]) -> type[ModelAdmin]:
            return cls

    class TabularInline(NamedFields, UnfoldTabularInline):
        def __class_getitem__(cls, models: Any) -> type[TabularInline]:
            return cls


M = TypeVar("M", bound=Model)

__all__ = ["KnowledgeAdmin", "ModelAdmin", "ReadOnlyAdmin", "TabularInline"]


class KnowledgeAdmin(ModelAdmin[M]):
    """Shows rows of the collections that the editor may read, in lists, in forms and in choices.

    `collection_path` is the lookup that leads from the model to its collection, `document_path` to its document ("": it
    is one; None: it has none); `shared` rows belong to no collection and are for every editor.
    """

    collection_path = "collection"
    document_path: str | None = None
    shared = False
    list_per_page = 50
    list_filter_submit = False
    empty_value_display = "–"

    class Media:
        css = {"all": ["admin/knowledgetree/admin.css"]}

    def get_queryset(self, request: HttpRequest) -> QuerySet[M]:
        rows = super().get_queryset(request)
        return in_visible_collections(
            rows, request.user, path=self.collection_path, shared=self.shared, document=self.document_path
        )

    def formfield_for_foreignkey(
        self, db_field: Field[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> ModelChoiceField[Any] | None:
        if db_field.related_model is Collection:
            kwargs["queryset"] = visible_collections(request.user)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)  # type: ignore[arg-type]


class ReadOnlyAdmin(KnowledgeAdmin[M]):
    """Rows that the system writes; people read them and act through services."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return False
