"""The user behind a program's connection, by a token that the program signs: Open WebUI's way to say who asks."""

import jwt
from django.conf import settings
from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.exceptions import APIException

HEADER = "X-OpenWebUI-User-Jwt"
_ISSUER = "open-webui"
_SKEW = 10  # seconds that two machines' clocks may differ


class InvalidUserToken(APIException):
    """Whoever asks is not known for certain."""

    status_code = 401
    default_code = "invalid_user_token"
    default_detail = gettext_lazy("The user token of this request is not valid.")
    auth_header = 'Bearer realm="KnowledgeTree", error="invalid_token"'


class UnknownForwardedUser(APIException):
    status_code = 403
    default_code = "unknown_user"


def forwarded_user(token: str) -> User:
    """The one active account with the e-mail address that the token was signed for.

    Raises InvalidUserToken where the token does not prove an address, UnknownForwardedUser where nobody here has it.
    """
    address = _proven_address(token)
    found = list(User.objects.filter(email__iexact=address, is_active=True)[:2])
    if not found:
        raise UnknownForwardedUser(
            _("No active account here has the e-mail address %(address)s.") % {"address": address}
        )
    if len(found) > 1:
        told = _("More than one active account here has the e-mail address %(address)s, so none is chosen.")
        raise UnknownForwardedUser(told % {"address": address})
    return found[0]


def _proven_address(token: str) -> str:
    if not token:
        raise InvalidUserToken(
            _("This API key acts for users, but the request has no header %(name)s.") % {"name": HEADER}
        )
    if not settings.OPENWEBUI_JWT_SECRET:
        raise InvalidUserToken(_("User tokens cannot be checked here: the server has no OPENWEBUI_JWT_SECRET."))
    try:
        claims = jwt.decode(
            token,
            settings.OPENWEBUI_JWT_SECRET,
            algorithms=["HS256"],
            issuer=_ISSUER,
            leeway=_SKEW,
            options={"require": ["exp", "iat", "iss", "sub", "email"]},
        )
    except jwt.ExpiredSignatureError as error:
        raise InvalidUserToken(_("The user token has expired. Are the clocks of both servers right?")) from error
    except jwt.InvalidTokenError as error:
        raise InvalidUserToken(
            _("The user token is not signed with this server's OPENWEBUI_JWT_SECRET, or not a token of Open WebUI.")
        ) from error
    if not isinstance(address := claims["email"], str) or not address.strip():
        raise InvalidUserToken(_("The user token names no e-mail address."))
    return address.strip()
