"""Small PDF files written by hand: Helvetica with the Polish letters, lines of text at given places."""

from collections.abc import Sequence
from typing import NamedTuple

POLISH = {
    "ą": "aogonek", "ć": "cacute", "ę": "eogonek", "ł": "lslash", "ń": "nacute", "ó": "oacute", "ś": "sacute",
    "ź": "zacute", "ż": "zdotaccent", "Ś": "Sacute", "Ł": "Lslash", "§": "section", "–": "endash",
}  # fmt: skip
_CODES = {letter: 161 + index for index, letter in enumerate(POLISH)}


class Print(NamedTuple):
    """`text` at (x, y) points from the bottom left of an A4 page."""

    text: str
    x: float = 72
    y: float = 700
    size: float = 11
    bold: bool = False


def paragraph(lines: Sequence[str], *, y: float = 700, x: float = 72, size: float = 11) -> list[Print]:
    """Lines one below the other, 13 points apart."""
    return [Print(line, x=x, y=y - 13 * index, size=size) for index, line in enumerate(lines)]


def pdf(pages: Sequence[Sequence[Print]], *, drawings: str = "", title: str = "", encrypted: bool = False) -> bytes:
    """A PDF file; `drawings` are drawing operators put on every page."""
    names = " ".join(f"/{name}" for name in POLISH.values())
    encoding = f"<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [161 {names}] >>"
    kids = " ".join(f"{6 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>".encode(),
        f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding {encoding} >>".encode(),
        f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding {encoding} >>".encode(),
        f"<< /Title ({title}) >>".encode("latin-1"),
    ]
    for number, prints in enumerate(pages):
        content = (drawings + "".join(map(_operators, prints))).encode("latin-1")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {7 + 2 * number} 0 R"
            f" /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    return _file(objects, _LOCKED if encrypted else "")


_LOCKED = (
    f" /ID [<{'0' * 32}> <{'0' * 32}>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{'1' * 64}> /U <{'2' * 64}> >>"
)


def frame(xs: Sequence[float], ys: Sequence[float]) -> str:
    """The operators for a grid of ruling lines."""
    lines = [f"{x} {min(ys)} m {x} {max(ys)} l S" for x in xs] + [f"{min(xs)} {y} m {max(xs)} {y} l S" for y in ys]
    return "\n".join(lines) + "\n"


def _operators(one: Print) -> str:
    text = "".join(chr(_CODES.get(letter, ord(letter))) for letter in one.text)
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /{'F2' if one.bold else 'F1'} {one.size} Tf {one.x} {one.y} Td ({escaped}) Tj ET\n"


def _file(objects: Sequence[bytes], trailer: str) -> bytes:
    written = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n"
    end += f"<< /Size {size} /Root 1 0 R /Info 5 0 R{trailer} >>\n"
    return written + end.encode() + b"startxref\n%d\n%%%%EOF\n" % len(written)
