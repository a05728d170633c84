"""A ZIP opened member by member. Run in the reading process alone."""

import stat
import zipfile
import zlib
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from django.utils.translation import gettext as _

from ingestion.errors import CorruptDocument, DocumentTooLarge, EncryptedDocument
from ingestion.reading.archives.member_names import is_hidden, member_paths
from ingestion.types import ArchivedFile

MAX_FILES: Final = 5000
MAX_UNPACKED_BYTES: Final = 500_000_000
_MAX_RATIO: Final = 200  # text packs to a tenth; a bomb to a thousandth
_SMALL: Final = 5_000_000  # bytes that may be packed as well as they like
_ENCRYPTED: Final = 0x1


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpackedBatch:
    """Some files of an archive; the next ones begin at `following`, None at the end."""

    files: list[ArchivedFile]
    following: int | None


def unpack(content: bytes, *, start: int, batch_bytes: int, max_bytes: int) -> UnpackedBatch:
    """The files from `start` on, so many that they have `batch_bytes`, at least one. Hidden ones and links are left
    out; one that cannot be read, or has more than `max_bytes`, has its `trouble` in place of its content.

    Raises EncryptedDocument where all are, CorruptDocument, and DocumentTooLarge for what is no archive of documents.
    What an archive says of sizes is believed: zipfile stops reading a member there.
    """
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            files = _files(archive)
            found: list[ArchivedFile] = []
            for number, (path, member) in enumerate(files[start:], start):
                if found and sum(len(one.content) for one in found) + member.file_size > batch_bytes:
                    return UnpackedBatch(files=found, following=number)
                found.append(_read(archive, path, member, max_bytes))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise CorruptDocument(_("The file is cut off or damaged: its archive cannot be opened.")) from error
    return UnpackedBatch(files=found, following=None)


def _files(archive: zipfile.ZipFile) -> list[tuple[str, zipfile.ZipInfo]]:
    """By path, the last of those with one name."""
    members = [one for one in archive.infolist() if not one.is_dir() and not stat.S_ISLNK(one.external_attr >> 16)]
    unpacked, packed = sum(one.file_size for one in members), sum(one.compress_size for one in members)
    if len(members) > MAX_FILES:
        raise DocumentTooLarge(_("The archive has more than %(n)d files.") % {"n": MAX_FILES})
    if unpacked > MAX_UNPACKED_BYTES or (unpacked > _SMALL and unpacked > _MAX_RATIO * packed):
        raise DocumentTooLarge(_("The file unpacks to an unreasonable size."))
    if members and all(one.flag_bits & _ENCRYPTED for one in members):
        raise EncryptedDocument(_("The file is protected with a password."))
    named = dict(zip(member_paths(members), members, strict=True))
    return sorted((pair for pair in named.items() if not is_hidden(pair[0])), key=lambda pair: pair[0])


def _read(archive: zipfile.ZipFile, path: str, member: zipfile.ZipInfo, max_bytes: int) -> ArchivedFile:
    if not path:
        return ArchivedFile(path="", trouble=_("A name in the archive leads out of it."))
    if member.flag_bits & _ENCRYPTED:
        return ArchivedFile(path=path, trouble=_("The file is protected with a password."))
    if member.file_size > max_bytes:
        trouble = _("The file is larger than %(limit).1f MB.") % {"limit": max_bytes / 1e6}
        return ArchivedFile(path=path, trouble=trouble)
    try:
        return ArchivedFile(path=path, content=archive.read(member))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError):
        return ArchivedFile(path=path, trouble=_("The file in the archive is damaged, or packed in an unknown way."))
