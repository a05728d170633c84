"""What chosen files may be, told before they are sent: versions of a document, others, or what is there already."""

from base64 import b64decode
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, JsonResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string

from ingestion.admin.documents.upload import ANOTHER, LEFT_OUT, VERSION
from ingestion.models import Collection, Document
from ingestion.reading.registry import refusal_at_sight
from ingestion.selectors import visible_collections, visible_documents
from ingestion.services.files.arrivals import file_name_of
from ingestion.services.files.uploads import alike

_MOST = 1000  # files of one upload


def check_files(request: HttpRequest) -> JsonResponse:
    """For each of the files `name` the piece of a page that says what it may be, with one field `purpose` for the form.

    Some have a `checksum`, and a `head`: how they begin, in Base64. Of one that cannot be read the piece says so and
    has no field. Only for who may add documents to the `collection`.
    """
    if not request.user.has_perm("ingestion.add_document"):
        raise PermissionDenied
    wanted = request.POST.get("collection", "")
    pk = int(wanted) if wanted.isascii() and wanted.isdigit() else 0
    collection = get_object_or_404(visible_collections(request.user), pk=pk)
    names, checksums, heads = (request.POST.getlist(name) for name in ("name", "checksum", "head"))
    files = list(zip_longest(names, checksums, heads, fillvalue=""))[:_MOST]
    return JsonResponse({"files": list(_pieces(request, collection, files))})


def _pieces(request: HttpRequest, collection: Collection, files: list[tuple[str, str, str]]) -> Iterator[str]:
    seen: set[str] = set()
    for name, checksum, head in files:
        found = alike(collection, file_name_of(name), checksum, author=request.user)
        shown = {
            "name": name,
            "refused": refusal_at_sight(_begun(head), name=name),
            "same": found.same,
            "candidates": found.candidates,
            "repeated": name in seen,
            "elsewhere": _elsewhere(request, collection, checksum) if not found.same else None,
            "chosen": _chosen(request.POST.get("when_taken", ""), found.candidates),
            "another": ANOTHER,
            "left_out": LEFT_OUT,
        }
        seen.add(name)
        yield render_to_string("admin/ingestion/document/alike.html", shown, request)


def _begun(head: str) -> bytes:
    """Nothing where it is no Base64: then the file is judged when it has come."""
    try:
        return b64decode(head, validate=True)
    except ValueError:
        return b""


def _chosen(when_taken: str, candidates: Sequence[Document]) -> str:
    """What is chosen to begin with: nothing where it is asked, or where a version could be of several."""
    is_clear = when_taken == ANOTHER or (when_taken == VERSION and len(candidates) == 1)
    return when_taken if is_clear else ""


def _elsewhere(request: HttpRequest, collection: Collection, checksum: str) -> Document | None:
    """A document of another collection that the editor sees with the same content."""
    documents = visible_documents(request.user).exclude(collection=collection).select_related("collection")
    return documents.filter(checksum=checksum).first() if checksum else None
