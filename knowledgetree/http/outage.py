"""The page that is shown where a request failed: for a moment without a database (503), or for good (500)."""

import sys

from django.db.utils import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.views.defaults import server_error

RETRY_SECONDS = 10


def failed_request(request: HttpRequest) -> HttpResponse:
    """Django's `handler500`, called while the error is being handled; the database may be gone, so it asks nothing."""
    if not isinstance(sys.exception(), OperationalError | InterfaceError):
        return server_error(request)
    page = loader.get_template("503.html").render()
    return HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_SECONDS)})
