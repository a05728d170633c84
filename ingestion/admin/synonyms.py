from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ingestion.admin.base import KnowledgeAdmin, TabularInline
from ingestion.admin.filters import CollectionFilter
from ingestion.models import Synonym, SynonymGroup


class SynonymInline(TabularInline[Synonym, SynonymGroup]):
    model = Synonym
    fields = ["text", "position"]
    extra = 1
    min_num = 2
    validate_min = True


@admin.register(SynonymGroup)
class SynonymGroupAdmin(KnowledgeAdmin[SynonymGroup]):
    shared = True
    list_display = ["name", "words", "collection", "direction", "weight", "enabled"]
    list_filter = [CollectionFilter, "direction", "enabled"]
    list_select_related = ["collection"]
    search_fields = ["name", "synonyms__text"]
    inlines = [SynonymInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[SynonymGroup]:
        return super().get_queryset(request).prefetch_related("synonyms")

    @admin.display(description=_("words"))
    def words(self, group: SynonymGroup) -> str:
        return ", ".join(synonym.text for synonym in group.synonyms.all())
