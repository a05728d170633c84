"""A verb of an administrator: what will happen is read first, then it is done, and a refusal stands above the form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.functional import Promise

from knowledgetree.errors import KnowledgeTreeError

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin

    Base = ModelAdmin[Any]
else:
    Base = object


class NothingToAsk(forms.Form):
    """A plain confirmation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """`consequence` is read before `act` (a service that takes the row and the form's values) is done."""

    label: Promise
    consequence: Promise
    done: Promise
    act: Callable[..., Any]
    form: type[forms.Form] = NothingToAsk


class Confirming(Base):
    """For an admin whose list is at the URL named `list_name`; who may act is `has_act_permission`."""

    list_name: str

    def has_act_permission(self, request: HttpRequest) -> bool:
        raise NotImplementedError

    def act_when_confirmed(
        self,
        request: HttpRequest,
        form: forms.Form,
        act: Callable[[], Any],
        *,
        done: object,
        row: Model | None = None,
        **texts: object,
    ) -> HttpResponse:
        """The form; once sent, `act`, whose refusal stands above the form. `texts`: title, label, consequence."""
        if not self.has_act_permission(request):
            raise PermissionDenied
        if request.method == "POST" and form.is_valid():
            try:
                act()
            except (KnowledgeTreeError, ImproperlyConfigured, OSError) as error:
                form.add_error(None, str(error))
            else:
                if row:
                    self.log_change(request, row, str(done))
                self.message_user(request, str(done), messages.SUCCESS)
                return redirect(self.list_name)
        context = {**self.admin_site.each_context(request), "form": form, "back": reverse(self.list_name), **texts}
        return TemplateResponse(request, "admin/ingestion/embeddingspace/confirm.html", context)

    def act_on_each(self, request: HttpRequest, rows: QuerySet[Any], act: Callable[[Any], Any]) -> None:
        """Those that refuse say why."""
        for row in rows:
            try:
                act(row)
            except KnowledgeTreeError as error:
                self.message_user(request, str(error), messages.ERROR)
