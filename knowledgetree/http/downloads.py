"""Files sent to readers: streamed, whole or the part that was asked for (RFC 9110, 14)."""

import re
from collections.abc import AsyncIterator

from asgiref.sync import sync_to_async
from django.core.files.base import File
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header

PIECE_BYTES = 256 * 1024

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)


def download(request: HttpRequest, file: "File[bytes]", *, name: str, checksum: str) -> HttpResponseBase:
    """`file` as a download, closed in the end. It is never shown: somebody else wrote it.

    A browser that lost the line asks for the rest: 206, as long as the content (`checksum`) is the one it has the
    beginning of; 416 where the file has no such part. Several parts at once are answered by the whole.
    """
    tag, size = f'"{checksum}"', file.size
    part = _wanted(request, tag, size)
    if part is not None and part.start >= size:
        file.close()
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    sent = part or range(size)
    response = StreamingHttpResponse(_pieces(file, sent), content_type="application/octet-stream")
    if part is not None:
        response.status_code = 206
        response.headers["Content-Range"] = f"bytes {part.start}-{part.stop - 1}/{size}"
    response.headers["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    response.headers["Content-Length"] = str(len(sent))
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Accept-Ranges"] = "bytes"
    response.headers["ETag"] = tag
    return response


def _wanted(request: HttpRequest, tag: str, size: int) -> range | None:
    """None: the whole. A part that begins past the end is one of nothing."""
    asked = _RANGE.fullmatch(request.headers.get("Range", "").strip())
    if asked is None or request.headers.get("If-Range", tag) != tag:
        return None
    first, last = asked.groups()
    if first:
        end = min(size, int(last) + 1) if last else size
        return range(int(first), end) if not last or int(last) >= int(first) else None
    return range(max(0, size - int(last)), size) if last and size and int(last) else None


async def _pieces(file: "File[bytes]", part: range) -> AsyncIterator[bytes]:
    read = sync_to_async(file.read, thread_sensitive=False)
    left = len(part)
    try:
        if part.start:
            await sync_to_async(file.seek, thread_sensitive=False)(part.start)
        while left and (piece := await read(min(left, PIECE_BYTES))):
            left -= len(piece)
            yield piece
    finally:
        await sync_to_async(file.close, thread_sensitive=False)()
