"""Rows as a Markdown pipe table."""

from collections.abc import Sequence


def pipe_table(rows: Sequence[Sequence[str]]) -> str:
    """A table whose first row is the header; rows and columns without any text are left out, "" for none
    at all.

    Cells may be of any length; a cell becomes one line and its "|" is escaped.
    """
    cells = [[" ".join(cell.split()).replace("|", "\\|") for cell in row] for row in rows]
    cells = [row for row in cells if any(row)]
    if not cells:
        return ""
    width = max(len(row) for row in cells)
    padded = [row + [""] * (width - len(row)) for row in cells]
    used = [column for column in range(width) if any(row[column] for row in padded)]
    lines = ["| " + " | ".join(row[column] for column in used) + " |" for row in padded]
    return "\n".join([lines[0], "|" + " --- |" * len(used), *lines[1:]])
