"""The admin's first page put together: documents are one app's matter, questions the other's."""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from ingestion.admin.start import start
from rag.models import Exchange


def start_page(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """`settings.UNFOLD["DASHBOARD_CALLBACK"]`: adds `start` to what the page shows."""
    user = request.user
    asked = Exchange.objects.filter(conversation__owner_id=user.pk).exists()
    return context | {"start": start(user, asked=asked, chat=reverse("chat:home"))}  # type: ignore[arg-type]
