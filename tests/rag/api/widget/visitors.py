"""Visitors of a page with a widget, as their browser speaks."""

from typing import Any

from django.test import Client

from rag.models import Assistant, Widget

ORIGIN = "https://gmina.example.pl"


def make_widget(*collections: object, origins: tuple[str, ...] = (ORIGIN,)) -> Widget:
    assistant = Assistant.objects.create(name="Mieszkaniec", slug="mieszkaniec")
    assistant.collections.add(*collections)
    return Widget.objects.create(
        name="Zapytaj urząd", assistant=assistant, origins=list(origins), suggestions=["Ile trwa urlop?"]
    )


class VisitorBrowser:
    """On a page of `origin`; with `cookies` of somebody who is signed in here too, where a client has them."""

    def __init__(self, widget: Widget, origin: str = ORIGIN, client: Client | None = None) -> None:
        self.widget, self.origin, self.client, self.token = widget, origin, client or Client(), ""

    def headers(self) -> dict[str, str]:
        return {"Origin": self.origin} | ({"Authorization": f"Bearer {self.token}"} if self.token else {})

    def address(self, name: str) -> str:
        return f"/api/widget/{self.widget.public_id}/{name}"

    def post(self, name: str, **body: object) -> Any:
        return self.client.post(self.address(name), body, content_type="application/json", headers=self.headers())

    def open(self) -> "VisitorBrowser":
        response = self.post("session")
        assert response.status_code == 200, response.content
        self.token = response.json()["token"]
        return self
