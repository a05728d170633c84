from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin import SimpleListFilter
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ingestion.admin.base import KnowledgeAdmin, TabularInline
from ingestion.admin.filters import CollectionFilter
from ingestion.admin.synonyms.preview import preview_group
from ingestion.errors import IngestionError
from ingestion.models import LexiconPack, Synonym, SynonymGroup
from ingestion.services.synonyms import save_synonym, searchable_phrase, set_leading_word

_ALL = "all"


class SourceFilter(SimpleListFilter):
    """Groups of editors unless another choice is made; "all" is a choice of its own."""

    title = _("written by")
    parameter_name = "source"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [*SynonymGroup.Source.choices, (_ALL, _("All"))]

    def choices(self, changelist: Any) -> Iterator[Any]:
        for value, title in self.lookup_choices:
            chosen = value == (self.value() or SynonymGroup.Source.SYNONYM)
            address = changelist.get_query_string({self.parameter_name: value})
            yield {"selected": chosen, "query_string": address, "display": title}

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        source = self.value() or (_ALL if "pack" in request.GET else SynonymGroup.Source.SYNONYM)
        return queryset if source == _ALL else queryset.filter(source=source)


class PackFilter(SimpleListFilter):
    """The packs of the lexicon; choosing one shows its groups without another choice."""

    title = _("lexicon pack")
    parameter_name = "pack"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return list(LexiconPack.objects.values_list("name", "title"))

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(pack__name=self.value()) if self.value() else queryset


class SynonymForm(forms.ModelForm):  # type: ignore[type-arg]
    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        try:
            searchable_phrase(text)
        except IngestionError as error:
            raise ValidationError(error.message) from error
        return text


class SynonymInline(TabularInline[Synonym, SynonymGroup]):
    model = Synonym
    form = SynonymForm
    fields = ["text", "position"]
    extra = 1
    min_num = 2
    validate_min = True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return not _is_shipped(obj) and super().has_add_permission(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return not _is_shipped(obj) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return not _is_shipped(obj) and super().has_delete_permission(request, obj)


def _is_shipped(group: Any) -> bool:
    """A group of the lexicon comes anew with each release, so it is switched off rather than changed."""
    return isinstance(group, SynonymGroup) and group.pack_id is not None


@admin.register(SynonymGroup)
class SynonymGroupAdmin(KnowledgeAdmin[SynonymGroup]):
    shared = True
    list_display = ["name", "words", "collection", "direction", "weight", "enabled"]
    list_filter = [SourceFilter, PackFilter, CollectionFilter, "direction", "enabled"]
    list_select_related = ["collection", "pack"]
    search_fields = ["name", "synonyms__text"]
    show_full_result_count = False
    fields = ["name", "collection", "direction", "weight", "enabled"]
    inlines = [SynonymInline]
    actions = ["put_in_use", "take_out_of_use"]
    change_form_after_template = "admin/ingestion/synonym/preview.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[SynonymGroup]:
        return super().get_queryset(request).prefetch_related("synonyms")

    def get_readonly_fields(self, request: HttpRequest, obj: SynonymGroup | None = None) -> list[str]:
        return ["name", "collection", "direction", "weight"] if _is_shipped(obj) else []

    def has_delete_permission(self, request: HttpRequest, obj: SynonymGroup | None = None) -> bool:
        return not _is_shipped(obj) and super().has_delete_permission(request, obj)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        group = context.get("original")
        preview = preview_group(group, request.user) if group else ()
        return super().render_change_form(request, context | {"preview": preview}, *args, **kwargs)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        for synonym in formset.save(commit=False):
            save_synonym(synonym=synonym)
        for synonym in formset.deleted_objects:
            synonym.delete()
        set_leading_word(group=form.instance)

    @admin.action(description=_("Use in search"), permissions=["change"])
    def put_in_use(self, request: HttpRequest, queryset: QuerySet[SynonymGroup]) -> None:
        self._set_enabled(request, queryset.filter(enabled=False), enabled=True)

    @admin.action(description=_("Do not use in search"), permissions=["change"])
    def take_out_of_use(self, request: HttpRequest, queryset: QuerySet[SynonymGroup]) -> None:
        self._set_enabled(request, queryset.filter(enabled=True), enabled=False)

    def _set_enabled(self, request: HttpRequest, groups: QuerySet[SynonymGroup], *, enabled: bool) -> None:
        chosen = SynonymGroup.objects.filter(pk__in=list(groups.values_list("pk", flat=True)))
        message = gettext("Used in search.") if enabled else gettext("Not used in search any more.")
        if request.user.pk is not None and chosen:
            LogEntry.objects.log_actions(request.user.pk, chosen, CHANGE, message)
        changed = chosen.update(enabled=enabled)
        self.message_user(request, ngettext("%(n)d group changed.", "%(n)d groups changed.", changed) % {"n": changed})

    @admin.display(description=_("words"))
    def words(self, group: SynonymGroup) -> str:
        """What leads to what, in a one-way group of several leading words with an arrow between them."""
        synonyms = list(group.synonyms.all())
        if not _is_shipped(group) or group.direction == SynonymGroup.Direction.TWO_WAY:
            return ", ".join(map(_in_its_context, synonyms))
        sides = ([one for one in synonyms if one.leads is leads] for leads in (True, False))
        return " → ".join(", ".join(map(_in_its_context, side)) for side in sides)


def _in_its_context(synonym: Synonym) -> str:
    with_words = gettext("with")
    return f"{synonym.text} ({with_words}: {', '.join(synonym.context)})" if synonym.context else synonym.text
