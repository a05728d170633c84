"""Pages as pictures: print with the Polish letters, noise like a scanner's, and PDFs made of them."""

import io
import zlib
from collections.abc import Sequence

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

LETTER = [
    "Pracownik zatrudniony na podstawie umowy o pracę ma prawo do",
    "corocznego, płatnego urlopu wypoczynkowego w wymiarze, który",
    "wynika z kodeksu pracy oraz z regulaminu wynagradzania.",
    "Wniosek składa się najpóźniej na trzy dni przed początkiem",
    "urlopu, a przełożony rozpatruje go w ciągu dwóch dni.",
]


def _font(size: int) -> ImageFont.FreeTypeFont:
    """The tests that draw are skipped where there is no DejaVu; it comes with fontconfig, which browsers need."""
    try:
        return ImageFont.truetype("DejaVuSans.ttf", size)
    except OSError:
        pytest.skip("the font DejaVu Sans is not installed")


def page(lines: Sequence[str] = LETTER, *, size: int = 30, width: int = 1654, height: int = 1200) -> Image.Image:
    """Lines of print in grey, as 200 dots an inch of a page have it."""
    picture = Image.new("L", (width, height), 255)
    draw = ImageDraw.Draw(picture)
    font = _font(size)
    for index, line in enumerate(lines):
        draw.text((120, 120 + index * size * 1.6), line, font=font, fill=0)
    return picture


def ruled(rows: Sequence[Sequence[str]], *, cell: tuple[int, int] = (480, 90)) -> Image.Image:
    """A table with ruling lines."""
    picture = Image.new("L", (1654, 1200), 255)
    draw = ImageDraw.Draw(picture)
    font = _font(34)
    wide, high = cell
    for row, texts in enumerate(rows):
        for column, text in enumerate(texts):
            left, top = 120 + column * wide, 120 + row * high
            draw.rectangle((left, top, left + wide, top + high), outline=0, width=3)
            draw.text((left + 20, top + 24), text, font=font, fill=0)
    return picture


def noisy(picture: Image.Image, share: float, *, seed: int = 1) -> Image.Image:
    """Pepper and salt on `share` of the pixels, 0 to 1."""
    draw = np.random.default_rng(seed)
    pixels = np.array(picture)
    speckled = draw.random(pixels.shape) < share
    pixels[speckled] = draw.integers(0, 2, int(speckled.sum())) * 255
    return Image.fromarray(pixels)


def saved(picture: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


def scanned_pdf(pictures: Sequence[Image.Image | None], *, layer: str = "") -> bytes:
    """A PDF whose pages are pictures, A4 wide; None is a page with a line of text. `layer` is written on every page."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    kids = []
    for number, picture in enumerate(pictures, start=1):
        content = f"BT /F1 11 Tf 72 800 Td ({layer}) Tj ET\n" if layer else ""
        content += _shown(picture) if picture else _written_line(number)
        image = ""
        if picture:
            objects.append(_image(picture))
            image = f" /XObject << /Im {len(objects)} 0 R >>"
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content.encode()))
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {len(objects)} 0 R"
            f" /Resources << /Font << /F1 3 0 R >>{image} >> >>".encode()
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(kids)}] >>".encode()
    return _written(objects)


def _shown(picture: Image.Image) -> str:
    return f"q 595 0 0 {595 * picture.height / picture.width:.0f} 0 0 cm /Im Do Q"


def _written_line(number: int) -> str:
    """Another text at another height on every page, or it would be taken for a running header."""
    sheet = chr(64 + number)
    return f"BT /F1 11 Tf 72 {720 - 30 * number} Td (Kartka {sheet} ma zwykly tekst, ktory da sie odczytac.) Tj ET"


def _image(picture: Image.Image) -> bytes:
    pixels = zlib.compress(picture.convert("L").tobytes())
    head = f"/Type /XObject /Subtype /Image /Width {picture.width} /Height {picture.height} /ColorSpace /DeviceGray"
    return f"<< {head} /BitsPerComponent 8 /Filter /FlateDecode /Length {len(pixels)} >>\nstream\n".encode() + (
        pixels + b"\nendstream"
    )


def _written(objects: Sequence[bytes]) -> bytes:
    written = b"%PDF-1.4\n"
    for number, body in enumerate(objects, start=1):
        written += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    return written + b"trailer\n<< /Size %d /Root 1 0 R >>\n%%%%EOF\n" % (len(objects) + 1)
