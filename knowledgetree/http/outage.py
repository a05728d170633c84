"""The page that is shown where a request failed: for a moment without database or store (503), or for good (500)."""

import sys

from django.db.utils import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.views.defaults import server_error

from knowledgetree.storage.failures import StoreFailed

RETRY_SECONDS = 10


def failed_request(request: HttpRequest) -> HttpResponse:
    """Django's `handler500`, called while the error is being handled; what it needs may be gone, so it asks nothing."""
    error = sys.exception()
    if not isinstance(error, OperationalError | InterfaceError | StoreFailed):
        return server_error(request)
    page = loader.get_template("503.html").render({"store": isinstance(error, StoreFailed)})
    return HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_SECONDS)})
