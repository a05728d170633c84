"""Webhooks in the administration: set up, tried, followed message by message."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.cache import add_never_cache_headers
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from ingestion.admin.labels import Colour, coloured, moment
from ingestion.models.viewers import is_superuser
from knowledgetree.fetching.configured import webhook_sender
from knowledgetree.fetching.errors import FetchError
from knowledgetree.webhooks.keeping import create_webhook, replace_secret
from knowledgetree.webhooks.models import SUBSCRIBABLE, DeliveryAttempt, Webhook, WebhookDelivery
from knowledgetree.webhooks.sending import send_again, send_test
from rag.admin.base import PrivateAdmin, PrivateInline, SuperuserAdmin

if TYPE_CHECKING:
    _Form = forms.ModelForm[Webhook]
else:
    _Form = forms.ModelForm

_COLOURS: dict[str, Colour] = {"waiting": "info", "delivered": "success", "failed": "danger"}


class WebhookForm(_Form):
    events = forms.MultipleChoiceField(
        label=capfirst(gettext_lazy("tells")), choices=SUBSCRIBABLE, widget=UnfoldAdminCheckboxSelectMultipleWidget()
    )

    class Meta:
        model = Webhook
        fields = ["name", "url", "events", "active"]

    def clean_url(self) -> str:
        """Refused at once is what would be refused with every message, and a server that nobody knows."""
        url: str = self.cleaned_data["url"].strip()
        try:
            webhook_sender().check(url)
        except FetchError as error:
            raise ValidationError(str(error)) from error
        return url


@admin.register(Webhook)
class WebhookAdmin(SuperuserAdmin[Webhook]):
    form = WebhookForm
    list_display = ["name", "told", "state", "received"]
    actions = ["replace"]
    change_form_outer_before_template = "admin/webhooks/panel.html"

    def get_fields(self, request: HttpRequest, obj: Webhook | None = None) -> list[Any]:
        return ["name", "url", "events", "active"] if obj else ["name", "url", "events"]

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.test_view)
        return [path("<int:pk>/test/", view, name="knowledgetree_webhook_test"), *super().get_urls()]

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The secret is told on a page of its own, so there is nothing to save and go on with."""
        buttons = {"show_save_and_continue": False, "show_save_and_add_another": False}
        return super().add_view(request, form_url, {**(extra_context or {}), **buttons})

    def save_model(self, request: HttpRequest, obj: Webhook, form: Any, change: bool) -> None:
        """Who switches on again what was given up begins anew."""
        if change:
            if "active" in form.changed_data:
                obj.switched_off = None
            super().save_model(request, obj, form, change)
            return
        chosen = form.cleaned_data
        made, secret = create_webhook(**{name: chosen[name] for name in ("name", "url", "events")})
        obj.pk = made.pk
        obj.refresh_from_db()
        request.made_secret = secret  # type: ignore[attr-defined]

    def response_add(self, request: HttpRequest, obj: Webhook, post_url_continue: str | None = None) -> HttpResponse:
        return self._told(request, [(obj, request.made_secret)])  # type: ignore[attr-defined]

    def test_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Sends a test message, in earnest, and says what came of it."""
        if not is_superuser(request.user):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        attempt = send_test(get_object_or_404(Webhook, pk=pk))
        if attempt.code is not None and 200 <= attempt.code < 300:
            said = _("Received: the server answered %(code)d in %(ms)d ms.")
            self.message_user(request, said % {"code": attempt.code, "ms": attempt.milliseconds}, messages.SUCCESS)
        elif attempt.code is not None:
            said = _("Not received: the server answered %(code)d: %(reply)s")
            self.message_user(request, said % {"code": attempt.code, "reply": attempt.reply}, messages.ERROR)
        else:
            self.message_user(request, _("Not received: %(error)s") % {"error": attempt.error}, messages.ERROR)
        return redirect("admin:knowledgetree_webhook_change", pk)

    @admin.action(description=gettext_lazy("Give a new secret: the old one ends at once"), permissions=["change"])
    def replace(self, request: HttpRequest, webhooks: QuerySet[Webhook]) -> HttpResponse:
        return self._told(request, [(webhook, replace_secret(webhook)) for webhook in webhooks])

    def _told(self, request: HttpRequest, made: list[tuple[Webhook, str]]) -> HttpResponse:
        context = {**self.admin_site.each_context(request), "title": _("Copy the secret now"), "made": made}
        response = TemplateResponse(request, "admin/webhooks/made.html", context)
        add_never_cache_headers(response)
        return response

    @admin.display(description=gettext_lazy("tells"))
    def told(self, webhook: Webhook) -> str:
        labels = dict(SUBSCRIBABLE)
        return ", ".join(str(labels.get(event, event)) for event in webhook.events)

    @admin.display(description=gettext_lazy("state"))
    def state(self, webhook: Webhook) -> SafeString:
        if webhook.active:
            return coloured(_("in use"), "success")
        return coloured(_("given up"), "danger") if webhook.switched_off else coloured(_("switched off"), "default")

    @admin.display(description=gettext_lazy("last received"), ordering="last_success")
    def received(self, webhook: Webhook) -> str:
        return moment(webhook.last_success)


class DeliveryAttemptInline(PrivateInline[DeliveryAttempt, WebhookDelivery]):
    model = DeliveryAttempt
    fields = ["at", "code", "milliseconds", "reply", "error"]


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(PrivateAdmin[WebhookDelivery]):
    """Every message with what came of each attempt to send it."""

    list_display = ["created", "webhook", "event", "state", "attempts", "due"]
    list_filter = ["status", "event", "webhook"]
    list_select_related = ["webhook"]
    fields = ["id", "webhook", "event", "state", "attempts", "due", "body", "created"]
    actions = ["send"]
    inlines = [DeliveryAttemptInline]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.action(description=gettext_lazy("Send again"), permissions=["view"])
    def send(self, request: HttpRequest, deliveries: QuerySet[WebhookDelivery]) -> None:
        n = send_again(list(deliveries.values_list("pk", flat=True)))
        self.message_user(
            request, ngettext("%(n)d message is sent again.", "%(n)d messages are sent again.", n) % {"n": n}
        )

    @admin.display(description=gettext_lazy("status"), ordering="status")
    def state(self, delivery: WebhookDelivery) -> SafeString:
        return coloured(delivery.get_status_display(), _COLOURS[delivery.status])
