"""The body of a reply of httpx as a file."""

import io
from collections.abc import Iterator
from typing import Any, Final

import httpx

_PIECE: Final = 256 * 1024


class ReplyBody(io.RawIOBase):
    """A body as libraries read it that want a file; whoever made the reply bound its size."""

    def __init__(self, reply: httpx.Response) -> None:
        self._reply, self._pieces, self._left = reply, reply.iter_raw(), b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._left:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._left = piece
        taken = self._left[: len(buffer)]
        self._left = self._left[len(taken) :]
        buffer[: len(taken)] = taken
        return len(taken)

    def read(self, size: int | None = -1) -> bytes:
        """So many bytes, fewer only at the end."""
        found = bytearray()
        while size is None or size < 0 or len(found) < size:
            piece = super().read(_PIECE if size is None or size < 0 else min(_PIECE, size - len(found)))
            if not piece:
                break
            found += piece
        return bytes(found)

    def stream(self, amount: int = _PIECE, **_kwargs: Any) -> Iterator[bytes]:
        while piece := self.read(amount):
            yield piece

    def close(self) -> None:
        self._reply.close()
        super().close()
