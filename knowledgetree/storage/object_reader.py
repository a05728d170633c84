"""An object of a bucket as a file: read as it arrives, begun where one wants."""

import io
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from knowledgetree.storage.failures import StoreFailed


class ObjectReader(io.RawIOBase):
    """`stored`: boto3's `Object`, loaded. Nothing is asked for before the first byte is read; a jump ends the answer
    under way, and the next byte read asks for the rest from there. `translating` is entered around each request.
    """

    def __init__(self, stored: Any, translating: Callable[[], AbstractContextManager[None]]) -> None:
        self._stored, self._translating = stored, translating
        self._size = int(stored.content_length)
        self._position = 0
        self._body: Any = None

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._size}[whence]
        position = max(0, base + offset)
        if position != self._position:
            self._end_answer()
        self._position = position
        return position

    def readinto(self, buffer: Any) -> int:
        """Raises StoreFailed where the store fails, and where its answer ends too early."""
        if self._position >= self._size:
            return 0
        with self._translating():
            if self._body is None:
                self._body = self._stored.get(Range=f"bytes={self._position}-")["Body"]
            piece: bytes = self._body.read(len(buffer))
        if not piece:
            self._end_answer()
            raise StoreFailed("EndedEarly")
        buffer[: len(piece)] = piece
        self._position += len(piece)
        return len(piece)

    def close(self) -> None:
        self._end_answer()
        super().close()

    def _end_answer(self) -> None:
        body, self._body = self._body, None
        if body is not None:
            body.close()
