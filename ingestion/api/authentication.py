"""A program signs in with `Authorization: Bearer kt_…`, for its account or for the user whom it names by a token."""

from django.contrib.auth.models import User
from django.http.request import HttpHeaders
from django.utils.translation import gettext_lazy as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import APIException
from rest_framework.request import Request

from ingestion.api.forwarded_users import HEADER, forwarded_user
from ingestion.api.permissions import missing_scope
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
    """Raises InvalidKey and what `viewer_by` does. Requests without a key are left to the next way to sign in."""

    def authenticate(self, request: Request) -> tuple[User, ApiKey] | None:
        scheme, _space, secret = request.headers.get("Authorization", "").strip().partition(" ")
        if scheme.lower() != SCHEME:
            return None
        key = valid_key(secret.strip())
        if key is None:
            raise InvalidKey
        note_use(key)
        return viewer_by(key, request.headers), key


def viewer_by(key: ApiKey, headers: HttpHeaders) -> User:
    """For whom a request with this key is: the key's account or, of a key that acts for others, the user of the token.

    A key that may act for others never acts for its own account, so a request that lost its token gets no answer meant
    for somebody else. Raises InvalidUserToken, UnknownForwardedUser and ScopeMissing.
    """
    token = headers.get(HEADER, "")
    if ApiKey.Scope.ACT_AS in key.scopes:
        return holder_of(key, forwarded_user(token))
    if token:
        raise missing_scope(ApiKey.Scope.ACT_AS)
    return holder_of(key)


def valid_key(secret: str) -> ApiKey | None:
    """The key of this secret, unless it is over or its account is switched off."""
    if not secret.startswith(PREFIX):
        return None
    key = ApiKey.objects.filter(digest=digest_of(secret), owner__is_active=True).first()
    return key if key and key.is_valid() else None
