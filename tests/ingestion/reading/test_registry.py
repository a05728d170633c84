from collections.abc import Iterator

import pytest
from django.utils import translation
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingestion.errors import (
    DocumentTooLarge,
    EmptyDocument,
    EncryptedDocument,
    ExtractionError,
    UnsupportedMediaType,
)
from ingestion.reading.registry import EXTRACTORS, extract, extractor_for
from ingestion.types import ExtractedText
from tests.ingestion.reading.office_files import OLE, docx, encrypted_office, opendocument, pptx, xls, xlsx, zipped
from tests.ingestion.reading.ole_files import doc, msg, ppt
from tests.ingestion.reading.pdf_files import paragraph, pdf

WHOLE = {
    "a.pdf": pdf([paragraph(["Pierwsza strona."]), paragraph(["Druga strona."])]),
    "a.docx": docx(lambda document: document.add_paragraph("Akapit.")),
    "a.html": "<html><body><h1>Tytuł</h1><table><tr><td>1</td><td>2</td></tr></table></body></html>".encode(),
    "a.md": "---\ntitle: x\n---\n# Tytuł\n".encode(),
    "a.xlsx": xlsx(lambda workbook: workbook.active.append(["a", 1])),
    "a.xls": xls(lambda workbook: workbook.add_sheet("a").write(0, 0, "x")),
    "a.pptx": pptx(lambda show: setattr(show.slides.add_slide(show.slide_layouts[5]).shapes.title, "text", "x")),
    "a.odt": opendocument("text", "<text:p>Akapit.</text:p>"),
    "a.ods": opendocument("spreadsheet", "<table:table><table:table-row/></table:table>"),
    "a.doc": doc("Akapit\r A\x07B\x07\x07"),
    "a.ppt": ppt([("Tytuł", "a", "b")]),
    "a.msg": msg(subject="x", body="tekst", attachments={"a.txt": b"x"}),
    "a.rtf": rb"{\rtf1\ansi Akapit\par\trowd\cell\row}",
    "a.tex": rb"\begin{document}\section{A} $x$ \begin{tabular}{l}a & b\\\end{tabular}\end{document}",
    "a.csv": "a;b\n1;ź\n".encode("cp1250"),
    "a.jsonl": b'{"a": 1}\n{"a": [2]}\n',
    "a.eml": b"From: a@b\nSubject: =?utf-8?q?x?=\nContent-Type: multipart/mixed; boundary=q\n\n--q\n\ntekst\n--q--\n",
    "a.py": b"def f():\n    return 1\n",
}


@pytest.fixture(autouse=True, scope="module")
def messages_in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


def taken(
    content: bytes, name: str, *, max_bytes: int = 10**6, max_characters: int = 10**6
) -> tuple[str, ExtractedText]:
    return extract(content, name=name, max_bytes=max_bytes, max_characters=max_characters)


@pytest.mark.parametrize("media_type", sorted(EXTRACTORS))
def test_every_registered_extractor_can_be_built(media_type: str) -> None:
    assert extractor_for(media_type) is extractor_for(media_type)


def test_the_media_type_comes_with_the_text() -> None:
    media_type, extracted = taken("# Tytuł\n\nTreść.".encode(), "a.md")
    assert (media_type, extracted.text, extracted.title) == ("text/markdown", "# Tytuł\n\nTreść.\n", "Tytuł")


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        (zipped({"notes.txt": b"x"}), "a.zip", "Archives (ZIP)"),
        (OLE + b"\0" * 600, "a", "old format of Office"),
        (b"\0\1\2\3", "a.bin", "Files of this kind are not supported"),
    ],
)
def test_an_unsupported_type_is_named_in_plain_words(content: bytes, name: str, words: str) -> None:
    with pytest.raises(UnsupportedMediaType) as caught:
        taken(content, name)
    assert words in caught.value.message
    assert str(caught.value.remedy)


def test_an_empty_file_is_refused() -> None:
    for content in (b"", b" \n\t\n", "\ufeff".encode(), "\u00a0\u200b".encode()):
        with pytest.raises(EmptyDocument):
            taken(content, "a.txt")


def test_a_file_over_the_limit_is_refused_before_it_is_read() -> None:
    with pytest.raises(DocumentTooLarge):
        taken(b"%PDF-1.7 not a PDF at all", "a.pdf", max_bytes=10)


def test_a_file_of_exactly_the_limit_is_read() -> None:
    assert taken(b"Dziesiec..", "a.txt", max_bytes=10)[0] == "text/plain"


def test_a_text_over_the_limit_is_refused() -> None:
    with pytest.raises(DocumentTooLarge):
        taken(b"x" * 101, "a.txt", max_characters=100)


def test_an_encrypted_office_document_is_refused_with_a_remedy() -> None:
    with pytest.raises(EncryptedDocument) as caught:
        taken(encrypted_office(), "a.docx")
    assert "password" in caught.value.message


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(
    name=st.sampled_from(sorted(WHOLE)),
    share=st.floats(0.01, 1),
    noise=st.binary(max_size=30),
    place=st.floats(0, 1),
)
def test_damaged_files_raise_nothing_but_extraction_errors(name: str, share: float, noise: bytes, place: float) -> None:
    content = bytearray(WHOLE[name][: int(len(WHOLE[name]) * share)])
    at = int(len(content) * place)
    content[at : at + len(noise)] = noise
    try:
        _, extracted = taken(bytes(content), name)
    except ExtractionError:
        return
    assert extracted.text.strip()
    assert extracted.text.endswith("\n")
