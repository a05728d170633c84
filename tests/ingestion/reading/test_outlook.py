import pytest

from ingestion.errors import CorruptDocument
from ingestion.reading.formats.mail.outlook import OutlookExtractor
from ingestion.reading.registry import extract
from ingestion.types import no_progress
from tests.ingestion.reading.office_files import OLE
from tests.ingestion.reading.ole_files import msg


def test_a_message_of_outlook_reads_like_any_other() -> None:
    attachments = {"dane ąę.csv": "a;b\n1;ź\n".encode("cp1250").ljust(4096, b"\n"), "dziwny.bin": b"\0\1"}
    content = msg(subject="Umowa – żółć", body="Dzień dobry,\r\nprzesyłam.", attachments=attachments)
    media_type, found = extract(content, name="plik", max_bytes=10**6, max_characters=10**6)
    head = "From: Jan Żółw <jan@example.pl>\nTo: Biuro\nDate: 2024-03-15 10:30"
    table = "| a | b |\n| --- | --- |\n| 1 | ź |"
    assert media_type == "application/vnd.ms-outlook"
    assert found.text == f"# Umowa – żółć\n\n{head}\n\nDzień dobry,\nprzesyłam.\n\n## dane ąę.csv\n\n{table}\n"
    assert "dziwny.bin" in found.warnings[0]


@pytest.mark.parametrize("content", [OLE + b"\0" * 600, b"x"])
def test_a_damaged_message_is_reported(content: bytes) -> None:
    with pytest.raises(CorruptDocument):
        OutlookExtractor().extract(content, name="a.msg", progress=no_progress)
