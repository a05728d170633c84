"""Files as asynchronous pieces: Django would read the whole of a synchronous one into memory under ASGI."""

from collections.abc import AsyncIterator

from asgiref.sync import sync_to_async
from django.core.files.base import File
from django.http import Http404

from ingestion.models import Document

PIECE_BYTES = 256 * 1024


def opened(document: Document) -> "File[bytes]":
    """The original of `document`; Http404 where it has none or the file is gone."""
    if not document.file:
        raise Http404
    try:
        return document.file.open("rb")
    except FileNotFoundError as error:
        raise Http404 from error


async def pieces(file: "File[bytes]") -> AsyncIterator[bytes]:
    read = sync_to_async(file.read, thread_sensitive=False)
    try:
        while piece := await read(PIECE_BYTES):
            yield piece
    finally:
        await sync_to_async(file.close, thread_sensitive=False)()
