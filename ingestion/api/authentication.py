"""A program signs in with `Authorization: Bearer kt_…`."""

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import APIException
from rest_framework.request import Request

from ingestion.models import ApiKey
from ingestion.models.api_keys import PREFIX
from ingestion.models.viewers import holder_of
from ingestion.services.api_keys import digest_of, note_use

SCHEME = "bearer"


class InvalidKey(APIException):
    """401 by itself: Django REST framework would answer 403, since a browser's session comes without a challenge."""

    status_code = 401
    default_code = "invalid_key"
    default_detail = _("This API key is unknown, revoked or no longer valid. Make a new one in the administration.")
    auth_header = 'Bearer realm="KnowledgeTree", error="invalid_token"'


class KeyAuthentication(BaseAuthentication):
    """Raises InvalidKey. Requests without a key are left to the next way to sign in."""

    def authenticate(self, request: Request) -> tuple[User, ApiKey] | None:
        scheme, _space, secret = request.headers.get("Authorization", "").strip().partition(" ")
        if scheme.lower() != SCHEME:
            return None
        key = valid_key(secret.strip())
        if key is None:
            raise InvalidKey
        note_use(key)
        return holder_of(key), key


def valid_key(secret: str) -> ApiKey | None:
    """The key of this secret, unless it is over or its account is switched off."""
    if not secret.startswith(PREFIX):
        return None
    key = ApiKey.objects.filter(digest=digest_of(secret), owner__is_active=True).first()
    return key if key and key.is_valid() else None
