"""The declaration of accessibility as a form; there is one at most."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from knowledgetree.accessibility.models import AccessibilityStatement, statement
from rag.admin.base import SuperuserAdmin


@admin.register(AccessibilityStatement)
class AccessibilityStatementAdmin(SuperuserAdmin[AccessibilityStatement]):
    """It is the office's word, so it is the superusers' alone. Who has saved it sees the page as readers do."""

    fields = [
        "organisation", ("published", "updated"), "unmet", ("prepared", "reviewed"), "contact", ("email", "phone"),
        "building",
    ]  # fmt: skip

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        made = statement()
        if made is None:
            return redirect("admin:knowledgetree_accessibilitystatement_add")
        return redirect("admin:knowledgetree_accessibilitystatement_change", made.pk)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Whoever has not looked through the documents yet says so of them."""
        today = timezone.localdate()
        unmet = _("Scans and documents made by others: some lack a text layer, headings or descriptions of images.")
        return {"published": today, "updated": today, "prepared": today, "reviewed": today, "unmet": unmet}

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and statement() is None

    def response_post_save_add(self, request: HttpRequest, obj: AccessibilityStatement) -> HttpResponseRedirect:
        return redirect("accessibility")

    def response_post_save_change(self, request: HttpRequest, obj: AccessibilityStatement) -> HttpResponseRedirect:
        return redirect("accessibility")
