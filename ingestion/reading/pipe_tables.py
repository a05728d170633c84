"""Rows as a Markdown pipe table."""

import re
from collections.abc import Sequence

_SPACES = re.compile(r"[^\S\u00a0]+")  # a hard space between digits says that they are one number


def pipe_table(rows: Sequence[Sequence[str]], *, has_header: bool = True) -> str:
    """A table whose first row is the header; rows and columns without any text are left out, "" for none
    at all. Without a header of its own (`has_header`) it gets an empty one, for Markdown knows no other tables.

    Cells may be of any length; a cell becomes one line and its "|" is escaped.
    """
    cells = [[_SPACES.sub(" ", cell).strip().replace("|", "\\|") for cell in row] for row in rows]
    cells = [row for row in cells if any(row)]
    if not cells:
        return ""
    width = max(len(row) for row in cells)
    padded = [row + [""] * (width - len(row)) for row in cells]
    used = [column for column in range(width) if any(row[column] for row in padded)]
    lines = ["| " + " | ".join(row[column] for column in used) + " |" for row in padded]
    if not has_header:
        lines.insert(0, "|" + "  |" * len(used))
    return "\n".join([lines[0], "|" + " --- |" * len(used), *lines[1:]])
