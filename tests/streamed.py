"""The body of a reply that is streamed, read as a server reads it."""

from typing import Any

from asgiref.sync import async_to_sync


@async_to_sync
async def streamed_body(response: Any) -> bytes:
    return b"".join([piece async for piece in response.streaming_content])
