"""Pages of a PDF as pictures."""

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from ingestion.library.pictures import WIDTHS, has_pictures, page_count, page_picture
from ingestion.models import Document
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import record
from rag.selectors.documents import shown_document

_KEPT = "private, max-age=600"


@require_safe
def page_image(request: HttpRequest, pk: int, page: int) -> HttpResponseBase:
    """`width`: one of `WIDTHS`. The rights are looked at before anything that is known from earlier.

    Nothing can be covered in a picture, so who may not see personal data does not get it.
    """
    try:
        document = shown_document(request.user, pk).original
    except Document.DoesNotExist as error:
        raise Http404 from error
    if document is None:
        raise PermissionDenied
    width = _width(request.GET.get("width", str(WIDTHS[0])))
    if not has_pictures(document) or not 1 <= page <= page_count(document):
        raise Http404
    etag = f'"{document.checksum}-{page}-{width}"'
    response = get_conditional_response(request, etag=etag) or _painted(document, page, width)
    if response.status_code == 200:
        record(AuditEntry.Action.READ, documents=[pk], details={"page": page})
    if response.status_code < 400:
        response.headers["ETag"] = etag
        response.headers["Cache-Control"] = _KEPT
    return response


def _width(value: str) -> int:
    if value not in map(str, WIDTHS):
        raise Http404
    return int(value)


def _painted(document: Document, page: int, width: int) -> HttpResponse:
    picture = page_picture(document, page=page, width=width)
    if picture is None:
        return HttpResponse(status=503, content_type="text/plain", headers={"Cache-Control": "no-store"})
    return HttpResponse(picture, content_type="image/webp")
