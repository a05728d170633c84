"""Keys for one's own programs: each may at most what its account may, and is told once."""

from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from ingestion.models import ApiKey, Collection
from ingestion.models.viewers import is_superuser
from ingestion.selectors import own_keys, visible_collections
from ingestion.services.api_keys import cancel_key, create_key

MOST_KEYS = 20
"""Valid ones of an account: more are a mistake, or somebody else's."""

_READING = (ApiKey.Scope.SEARCH, ApiKey.Scope.ASK, ApiKey.Scope.DOCUMENTS_READ)
_EDITING = (ApiKey.Scope.DOCUMENTS_WRITE, ApiKey.Scope.EVALUATE)
_DAYS = (30, 90, 365)


def may_make_keys(user: User) -> bool:
    """Where OWN_KEYS is off, only those do who may make keys in the administration."""
    return bool(settings.OWN_KEYS) or user.has_perm("ingestion.add_apikey")


def offered_scopes(user: User) -> list[tuple[str, Any]]:
    """A key for more than the account may would open nothing; those are not offered."""
    offered = [*_READING, *(_EDITING if user.is_staff else ())]
    if is_superuser(user):
        offered.append(ApiKey.Scope.ADMIN)
    return [(scope.value, scope.label) for scope in offered]


class ReaderKeyForm(forms.Form):
    name = forms.CharField(
        label=capfirst(gettext_lazy("name")), max_length=100, help_text=gettext_lazy("Which program uses it.")
    )
    scopes = forms.MultipleChoiceField(label=capfirst(gettext_lazy("may")), widget=forms.CheckboxSelectMultiple)
    collections = forms.ModelMultipleChoiceField(
        label=capfirst(gettext_lazy("collections")),
        queryset=Collection.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Empty: every collection that the account may read."),
    )
    days = forms.TypedChoiceField(
        label=capfirst(gettext_lazy("valid until")), coerce=int, empty_value=None, required=False
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._user = user
        self.fields["scopes"].choices = offered_scopes(user)  # type: ignore[attr-defined]
        self.fields["scopes"].initial = [ApiKey.Scope.SEARCH.value, ApiKey.Scope.ASK.value]
        self.fields["collections"].queryset = visible_collections(user)  # type: ignore[attr-defined]
        ends = [(str(days), _end_of(days).strftime("%d.%m.%Y")) for days in _DAYS]
        self.fields["days"].choices = [*ends, ("", _("until it is revoked"))]  # type: ignore[attr-defined]
        self.fields["days"].initial = "90"

    def clean(self) -> dict[str, Any]:
        valid = [key for key in own_keys(self._user) if key.is_valid()]
        if len(valid) >= MOST_KEYS:
            raise forms.ValidationError(
                _("You have %(n)d valid keys. Revoke one that is not used.") % {"n": len(valid)}
            )
        return super().clean() or {}


@never_cache
@login_required
def new_key(request: HttpRequest) -> HttpResponse:
    """The form, and after it the key, which nobody can read again."""
    user: User = request.user  # type: ignore[assignment]
    if not may_make_keys(user):
        raise PermissionDenied
    form = ReaderKeyForm(request.POST or None, user=user)
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data
        key, secret = create_key(
            name=chosen["name"],
            owner=user,
            scopes=chosen["scopes"],
            collections=chosen["collections"],
            expires=_end_of(chosen["days"]) if chosen["days"] else None,
        )
        header = f"Authorization: Bearer {key.prefix}…"
        return render(request, "account/key_made.html", {"key": key, "secret": secret, "header": header})
    return render(request, "account/key_new.html", {"form": form})


@require_POST
@login_required
def revoke_key(request: HttpRequest, pk: int) -> HttpResponse:
    """One of one's own; a stranger's is not there."""
    cancel_key(get_object_or_404(own_keys(request.user), pk=pk))
    return redirect("chat:account")


def _end_of(days: int) -> Any:
    return timezone.now() + timedelta(days=days)
