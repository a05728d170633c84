"""An original on this machine while it is read, wherever it is kept."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile
from typing import IO

from django.core.files.base import File
from django.utils.translation import gettext as _

from ingestion.errors import DamagedOriginal

_IN_MEMORY = 2**20
"""Bytes; what is larger lies in a nameless temporary file, which is gone when its process is."""


@contextmanager
def local_copy(original: "File[bytes]", checksum: str = "") -> Iterator[IO[bytes]]:
    """The whole of it, so that neither a store that fails nor a damaged file is taken for the reader's fault.

    Raises DamagedOriginal where it has not this checksum, if one is given, and OSError where it cannot be had.
    """
    with SpooledTemporaryFile(max_size=_IN_MEMORY) as copy:
        digest = hashlib.sha256()
        for piece in original.chunks():
            digest.update(piece)
            copy.write(piece)
        if checksum and digest.hexdigest() != checksum:
            raise DamagedOriginal(_("The stored original is damaged."))
        copy.seek(0)
        yield copy
