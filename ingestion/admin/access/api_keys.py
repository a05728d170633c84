"""Keys of programs: made here, told once, replaced and revoked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.db.models import Field, QuerySet
from django.forms import ModelChoiceField
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from ingestion.admin.base import KnowledgeAdmin
from ingestion.models import ApiKey, Collection
from ingestion.models.viewers import is_superuser
from ingestion.selectors import visible_collections
from ingestion.services.api_keys import OVERLAP, cancel_key, create_key, replace_key

if TYPE_CHECKING:
    _Form = forms.ModelForm[ApiKey]
else:
    _Form = forms.ModelForm


class ApiKeyForm(_Form):
    scopes = forms.MultipleChoiceField(
        label=capfirst(gettext_lazy("may")),
        choices=ApiKey.Scope.choices,
        widget=UnfoldAdminCheckboxSelectMultipleWidget(),
        help_text=gettext_lazy("A key that acts for users has the rights of each of them, and none of the account’s."),
    )

    class Meta:
        model = ApiKey
        fields = ["name", "owner", "scopes", "collections", "rate", "expires"]
        widgets = {"collections": UnfoldAdminCheckboxSelectMultipleWidget()}


class OwnKeyForm(ApiKeyForm):
    """For who is no superuser: a key that acts for everybody is no matter of one account."""

    scopes = forms.MultipleChoiceField(
        label=ApiKeyForm.base_fields["scopes"].label,
        choices=[choice for choice in ApiKey.Scope.choices if choice[0] != ApiKey.Scope.ACT_AS],
        widget=UnfoldAdminCheckboxSelectMultipleWidget(),
    )


@admin.register(ApiKey)
class ApiKeyAdmin(KnowledgeAdmin[ApiKey]):
    """Superusers see all keys; others with the permission see and make keys of their own account."""

    form = ApiKeyForm
    list_display = (
        "name", "shown_beginning", "owner", "shown_scopes", "shown_collections", "expires", "last_used", "state",
    )  # fmt: skip
    list_filter = ("owner",)
    search_fields = ("name", "prefix")
    actions = ("replace", "revoke")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiKey]:
        keys = ApiKey.objects.select_related("owner").prefetch_related("collections")
        return keys if is_superuser(request.user) else keys.filter(owner=request.user.pk)

    def get_form(
        self, request: HttpRequest, obj: ApiKey | None = None, change: bool = False, **kwargs: Any
    ) -> type[_Form]:
        form = ApiKeyForm if is_superuser(request.user) else OwnKeyForm
        return super().get_form(request, obj, change, **{"form": form, **kwargs})

    def formfield_for_foreignkey(
        self, db_field: Field[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> ModelChoiceField[Any] | None:
        if db_field.name == "owner":
            accounts = User.objects.filter(is_active=True)
            own = accounts.filter(username=request.user.get_username())
            kwargs["queryset"] = accounts if is_superuser(request.user) else own
            kwargs["initial"] = request.user.pk
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_manytomany(self, db_field: Field[Any, Any], request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.related_model is Collection:
            kwargs["queryset"] = visible_collections(request.user)
        return super().formfield_for_manytomany(db_field, request, **kwargs)  # type: ignore[arg-type]

    def has_change_permission(self, request: HttpRequest, obj: ApiKey | None = None) -> bool:
        """What a key opens is decided when it is made; the list with its actions stays open."""
        return obj is None and super().has_change_permission(request)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """A made key is told on a page of its own, so there is nothing to save and go on with."""
        buttons = {"show_save_and_continue": False, "show_save_and_add_another": False}
        return super().add_view(request, form_url, {**(extra_context or {}), **buttons})

    def has_delete_permission(self, request: HttpRequest, obj: ApiKey | None = None) -> bool:
        return False  # a revoked key stays as a record of who could do what

    def save_model(self, request: HttpRequest, obj: ApiKey, form: Any, change: bool) -> None:
        chosen = form.cleaned_data
        made, form.secret = create_key(**{name: chosen[name] for name in ApiKeyForm.Meta.fields})
        obj.pk = made.pk
        obj.refresh_from_db()

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        request.made_secret = form.secret  # type: ignore[attr-defined]

    def response_add(self, request: HttpRequest, obj: ApiKey, post_url_continue: str | None = None) -> HttpResponse:
        return self._told(request, [(obj, request.made_secret)])  # type: ignore[attr-defined]

    @admin.action(description=gettext_lazy("Replace: a new key, the old one goes on for 7 days"), permissions=["add"])
    def replace(self, request: HttpRequest, keys: QuerySet[ApiKey]) -> HttpResponse | None:
        valid = [key for key in keys if key.is_valid()]
        for key in valid:
            self.log_change(request, key, f"replaced, ends in {OVERLAP.days} days")
        if valid:
            return self._told(request, [replace_key(key) for key in valid])
        self.message_user(request, _("None of the chosen keys is valid: make a new one."), messages.WARNING)
        return None

    @admin.action(description=gettext_lazy("Revoke: opens nothing from now on"), permissions=["add"])
    def revoke(self, request: HttpRequest, keys: QuerySet[ApiKey]) -> None:
        for key in keys:
            cancel_key(key)
            self.log_change(request, key, "revoked")
        told = ngettext("%(n)d key is revoked.", "%(n)d keys are revoked.", len(keys)) % {"n": len(keys)}
        self.message_user(request, told)

    def _told(self, request: HttpRequest, made: list[tuple[ApiKey, str]]) -> HttpResponse:
        header = f"Authorization: Bearer {made[0][0].prefix}…"
        context = {
            **self.admin_site.each_context(request),
            "title": _("Copy the key now"),
            "made": made,
            "header": header,
        }
        return _uncached(request, TemplateResponse(request, "admin/ingestion/apikey/made.html", context))

    @admin.display(description=gettext_lazy("beginning"))
    def shown_beginning(self, key: ApiKey) -> str:
        return f"{key.prefix}…"

    @admin.display(description=gettext_lazy("may"))
    def shown_scopes(self, key: ApiKey) -> str:
        return key.scopes_in_words

    @admin.display(description=gettext_lazy("collections"))
    def shown_collections(self, key: ApiKey) -> str:
        if not key.bound:
            return _("all of the account")
        return ", ".join(collection.name for collection in key.collections.all()) or _("none any more")

    @admin.display(description=gettext_lazy("state"))
    def state(self, key: ApiKey) -> str:
        if key.revoked:
            return _("revoked")
        if key.expires and key.expires <= timezone.now():
            return _("expired")
        return _("valid") if key.owner.is_active else _("account is off")


def _uncached(request: HttpRequest, response: TemplateResponse) -> HttpResponse:
    return never_cache(lambda _request: response)(request)
