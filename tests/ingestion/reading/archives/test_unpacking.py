"""ZIP archives: the names and contents of their files, and what is refused."""

import io
import zipfile
from collections.abc import Callable

import pytest

from ingestion.errors import CorruptDocument, DocumentTooLarge, EncryptedDocument
from ingestion.reading.archives import unpacking
from ingestion.reading.archives.unpacking import unpack
from ingestion.reading.sandbox import ParsingLimits
from ingestion.reading.sandbox.unpacking import is_archive, unpacked_files
from ingestion.types import ArchivedFile

NAME = "Zażółć gęślą jaźń.txt"


def packed(files: dict[str, bytes], *, change: Callable[[zipfile.ZipInfo], None] = lambda info: None) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            change(info)
            archive.writestr(info, content)
    return written.getvalue()


def named(raw: bytes) -> bytes:
    """An archive with one file whose name is written in these bytes and nothing says in which code page."""
    placeholder = b"x" * len(raw)
    return packed({placeholder.decode(): b"tekst"}).replace(placeholder, raw)


def opened(content: bytes, **limits: int) -> list[ArchivedFile]:
    found: list[ArchivedFile] = []
    start: int | None = 0
    while start is not None:
        batch = unpack(content, start=start, **{"batch_bytes": 1000, "max_bytes": 10_000, **limits})
        found += batch.files
        start = batch.following
    return found


@pytest.mark.parametrize("page", ["cp852", "cp1250", "utf-8"])
def test_polish_names_are_read_whoever_wrote_them(page: str) -> None:
    assert [one.path for one in opened(named(NAME.encode(page)))] == [NAME]


def test_a_name_that_says_it_is_utf8_is() -> None:
    assert [one.path for one in opened(packed({f"kadry/{NAME}": b"x"}))] == [f"kadry/{NAME}"]


def test_files_come_in_batches_each_once() -> None:
    files = {f"{number:03}.txt": bytes([65 + number % 26]) * 300 for number in range(30)}
    assert {one.path: one.content for one in opened(packed(files))} == files


def test_what_hides_or_leads_out_is_no_document() -> None:
    files = {"a.txt": b"a", ".git/config": b"x", "__MACOSX/._a.txt": b"x", "~$a.docx": b"x", "folder/": b""}
    assert [one.path for one in opened(packed(files))] == ["a.txt"]
    for name in ("../../etc/passwd", "/etc/passwd", "C:\\windows\\win.ini", "a/../../b.txt"):
        (found,) = opened(packed({name: b"x"}))
        assert (found.path, found.content) == ("", b"")
        assert found.trouble


def test_a_link_is_left_out() -> None:
    def make_link(info: zipfile.ZipInfo) -> None:
        info.create_system, info.external_attr = 3, 0o120777 << 16

    assert opened(packed({"haslo.txt": b"/etc/passwd"}, change=make_link)) == []


def test_what_is_encrypted_is_said_so() -> None:
    plain = packed({"a.txt": b"a", "b.txt": b"b"})
    locked = bytearray(plain)
    for sign, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[plain.index(sign) + place] |= 1
    first, second = opened(bytes(locked))
    assert "hasł" in first.trouble or "password" in first.trouble
    assert second.content == b"b"
    (alone,) = [bytearray(packed({"a.txt": b"a"}))]
    alone[6] |= 1
    alone[bytes(alone).index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(EncryptedDocument):
        opened(bytes(alone))


def test_bombs_are_refused_before_they_go_off(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DocumentTooLarge):
        opened(packed({"bomba.txt": bytes(20_000_000)}))
    monkeypatch.setattr(unpacking, "MAX_FILES", 3)
    with pytest.raises(DocumentTooLarge):
        opened(packed({f"{number}.txt": b"x" for number in range(4)}))


def test_one_that_is_too_large_or_damaged_stops_no_other() -> None:
    content = packed({"a.txt": b"a" * 20_000, "b.txt": bytes(range(256)), "c.txt": b"c"})
    found = opened(content, max_bytes=10_000)
    assert [bool(one.trouble) for one in found] == [True, False, False]
    body = content.index(b"b.txt") + len("b.txt")
    broken = content[: body + 20] + bytes(60) + content[body + 80 :]
    assert [bool(one.trouble) for one in opened(broken, max_bytes=30_000)] == [False, True, False]


@pytest.mark.parametrize("cut", [30, 100])
def test_an_archive_that_is_cut_off_is_corrupt(cut: int) -> None:
    with pytest.raises(CorruptDocument):
        opened(packed({"a.txt": bytes(range(256))})[:cut])


@pytest.mark.slow
def test_archives_in_archives_are_opened_to_a_depth_in_the_reading_process() -> None:
    content = packed({"dno.txt": b"dno"})
    for level in range(3):
        content = packed({f"{level}.zip": content, f"{level}.txt": b"x"})
    assert is_archive("A.ZIP", content)
    assert not is_archive("a.docx", content)
    found = list(unpacked_files(content, limits=ParsingLimits(), max_bytes=10_000))
    assert [one.path for one in found] == ["2.txt", "2.zip!1.txt", "2.zip!1.zip!0.txt", "2.zip!1.zip!0.zip"]
    assert [bool(one.trouble) for one in found] == [False, False, False, True]
