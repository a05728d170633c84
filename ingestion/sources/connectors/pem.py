"""Keys and certificates as they are pasted into a field of one line, which takes their line breaks out."""

import re
import textwrap
from collections.abc import Sequence
from typing import Final

_BLOCK: Final = re.compile(r"-----BEGIN ([A-Z ]+)-----(.+?)-----END \1-----", re.S)
_LINE: Final = 64  # characters (RFC 7468)


def pem_blocks(secret: str) -> Sequence[tuple[str, str]]:
    """(label, block) of each, written with line breaks; none of a password."""
    return [(found[1], _written(found[1], found[2])) for found in _BLOCK.finditer(secret)]


def _written(label: str, body: str) -> str:
    lines = textwrap.wrap("".join(body.split()), _LINE)
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""])
