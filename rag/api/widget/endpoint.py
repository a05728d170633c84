"""The gate of a widget's requests: the widget lives, the page's origin is allowed, the token is the page's."""

from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import APIException
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from knowledgetree.http.json_body import BoundedJSONParser
from knowledgetree.http.limits import SharedRateThrottle
from rag.api.widget.tokens import VisitorSession, session_of
from rag.models import Widget
from rag.selectors import living_widgets

_PREFLIGHT_SECONDS = 600


class OriginNotAllowed(APIException):
    status_code = 403
    default_code = "origin_not_allowed"
    default_detail = _("Pages of this origin may not use the widget. An administrator can allow it there.")


class VisitorLimit(SharedRateThrottle):
    """The questions of one session, beside the limit for its address."""

    scope = "widget_session"

    def get_cache_key(self, request: Request, view: Any) -> str:
        return f"widget session {view.visitor.key}"


class WidgetEndpoint(APIView):
    """Cookies mean nothing here, so nobody is ever signed in; `visitor` is who has the token.

    Only an allowed origin gets the headers with which a browser lets its page read the response, errors included.
    """

    authentication_classes = ()
    permission_classes = (AllowAny,)
    parser_classes = (BoundedJSONParser,)
    widget: Widget
    visitor: VisitorSession
    needs_token = True
    _origin = ""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Raises Http404, OriginNotAllowed, InvalidToken and Throttled."""
        self.widget = get_object_or_404(living_widgets(), public_id=kwargs["public_id"])
        origin = request.headers.get("Origin", "")
        if not self._allows(request, origin):
            raise OriginNotAllowed
        self._origin = origin
        if request.method == "OPTIONS":  # a preflight has no token, and asks for nothing yet
            return
        if self.needs_token:
            self.visitor = session_of(bearer(request), widget=self.widget, origin=origin)
        super().initial(request, *args, **kwargs)

    def _allows(self, request: Request, origin: str) -> bool:
        """Equality, of what browsers write themselves: whatever only looks alike is another site. Our own pages, which
        anybody may ask on anyway, show the preview.
        """
        own = f"{request.scheme}://{request.get_host()}"
        return origin in self.widget.origins or origin == own

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        return Response(
            status=204,
            headers={
                "Access-Control-Allow-Methods": "POST",
                "Access-Control-Allow-Headers": "Authorization, Content-Type",
                "Access-Control-Max-Age": str(_PREFLIGHT_SECONDS),
            },
        )

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        final = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(final, ["Origin"])
        if self._origin:
            final.headers["Access-Control-Allow-Origin"] = self._origin
            final.headers["Access-Control-Expose-Headers"] = "Retry-After"
        return final

    def get_throttles(self) -> list[BaseThrottle]:
        return [*super().get_throttles(), *([VisitorLimit()] if self.needs_token else [])]


def bearer(request: Request) -> str:
    scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
