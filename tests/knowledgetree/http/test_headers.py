"""No page may load anything from outside, nor run what is written into it."""

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import User
from django.test import AsyncClient, Client


@pytest.mark.parametrize("address", ["/", "/login/", "/healthz", "/no-such-page/", "/api/collections/"])
@pytest.mark.django_db
def test_every_response_carries_the_strict_policy(client: Client, address: str) -> None:
    policy = client.get(address).headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


@pytest.mark.django_db
def test_an_asynchronous_response_carries_it_too() -> None:
    response = async_to_sync(AsyncClient().get)("/documents/1/original/")
    assert "default-src 'self'" in response.headers["Content-Security-Policy"]


@pytest.mark.django_db
def test_pages_of_the_admin_have_neither_scripts_nor_styles_inside(client: Client, superuser: User) -> None:
    client.force_login(superuser)
    response = client.get("/admin/ingestion/document/")
    policy = response.headers["Content-Security-Policy"]
    assert "script-src 'self' 'unsafe-eval'" in policy
    assert "style-src 'self';" in policy
    assert "<style" not in response.content.decode()
