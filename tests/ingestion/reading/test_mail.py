from email.message import EmailMessage

import pytest

from ingestion.errors import EmptyDocument
from ingestion.reading.formats.mail.mail import MailExtractor
from ingestion.types import ExtractedText, no_progress
from tests.ingestion.reading.office_files import docx
from tests.steps import steps


def message(subject: str = "Umowa nr 5 – żółć", text: str = "Dzień dobry,\nprzesyłam umowę.\n") -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"] = "Jan Żółw <jan@example.pl>", "biuro@example.pl"
    made["Date"], made["Subject"] = "Fri, 15 Mar 2024 10:30:00 +0100", subject
    made.set_content(text)
    return made


def read(content: bytes | EmailMessage) -> ExtractedText:
    raw = content if isinstance(content, bytes) else content.as_bytes()
    return MailExtractor().extract(raw, name="plik.eml", progress=no_progress)


def test_headers_stand_above_the_text_and_in_the_metadata() -> None:
    found = read(message())
    head = "From: Jan Żółw <jan@example.pl>\nTo: biuro@example.pl\nDate: 2024-03-15 10:30"
    assert found.text == f"# Umowa nr 5 – żółć\n\n{head}\n\nDzień dobry,\nprzesyłam umowę.\n"
    assert found.title == "Umowa nr 5 – żółć"
    assert found.metadata["from"] == "Jan Żółw <jan@example.pl>"


def test_the_plain_text_is_preferred_to_html() -> None:
    both = message()
    both.add_alternative("<p>Wersja <b>HTML</b></p>", subtype="html")
    assert "HTML" not in read(both).text
    only = message()
    only.set_content("<h1>Oferta</h1><p>Wersja HTML</p>", subtype="html")
    assert "# Oferta\n\nWersja HTML" in read(only).text


def test_attachments_are_read_and_those_that_cannot_be_are_named() -> None:
    mail = message()
    word = docx(lambda document: document.add_paragraph("Treść umowy."))
    mail.add_attachment(word, maintype="application", subtype="octet-stream", filename="umowa ąę.docx")
    mail.add_attachment("a;b\n1;ź\n".encode("cp1250"), maintype="text", subtype="csv", filename="dane.csv")
    mail.add_attachment(b"\0\1", maintype="application", subtype="octet-stream", filename="dziwny.bin")
    found = read(mail)
    assert "## umowa ąę.docx\n\nTreść umowy.\n\n## dane.csv\n\n| a | b |\n| --- | --- |\n| 1 | ź |" in found.text
    assert found.metadata["attachments"] == ["umowa ąę.docx", "dane.csv", "dziwny.bin"]
    assert len(found.warnings) == 1
    assert "dziwny.bin" in found.warnings[0]


def test_messages_in_messages_are_read_to_a_limit() -> None:
    mail = message("poziom 0")
    for level in range(1, 7):
        outer = message(f"poziom {level}")
        outer.add_attachment(mail)
        mail = outer
    found = read(mail)
    assert "#### poziom 3" in found.text
    assert "poziom 2" in found.warnings[0]


def test_pictures_in_the_text_and_signatures_are_no_attachments() -> None:
    mail = message()
    mail.add_attachment(b"\x89PNG\r\n\x1a\n", maintype="image", subtype="png", cid="<logo>", disposition="inline")
    mail.add_attachment(b"x", maintype="application", subtype="pkcs7-signature", filename="smime.p7s")
    found = read(mail)
    assert (found.metadata["attachments"], found.warnings) == ([], ())


def test_undeclared_and_wrongly_declared_letters_are_repaired() -> None:
    raw = "From: Łukasz <a@b>\nSubject: Zażółć\nContent-Type: text/plain; charset=utf-8\n\nGęślą jaźń"
    found = read(raw.encode("cp1250"))
    assert found.text == "# Zażółć\n\nFrom: Łukasz <a@b>\n\nGęślą jaźń\n"


def test_of_a_header_of_a_hundred_thousand_addresses_only_the_first_are_read() -> None:
    def header(addresses: int) -> bytes:
        return b"Subject: x\nTo: " + b"a@b.pl,\n " * addresses + b"c@d.pl\n\ntekst\n"

    assert len(read(header(100_000)).metadata["to"]) <= 1000
    assert steps(lambda: read(header(80_000))) < 12 * steps(lambda: read(header(8_000)))


def test_a_message_without_a_body_keeps_its_headers() -> None:
    assert "# Tylko temat" in read(b"Subject: Tylko temat\n\n").text


def test_blank_bytes_are_no_message() -> None:
    with pytest.raises(EmptyDocument):
        read(message("", "").as_bytes()[:0] + b"\n\n")
