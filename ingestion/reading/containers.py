"""What stands inside ZIP and OLE2 files, judged without unpacking them."""

import zipfile
from io import BytesIO

from django.utils.translation import gettext as _

from ingestion.errors import CorruptDocument, DocumentTooLarge, EncryptedDocument

ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

MAX_UNPACKED_BYTES = 500 * 1024 * 1024
MAX_MEMBERS = 20_000


def zip_members(content: bytes) -> list[str]:
    """The names in the archive, [] where its directory is damaged."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            return archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return []


def is_encrypted_office(content: bytes) -> bool:
    """Whether an OLE2 file wraps an encrypted DOCX, XLSX or PPTX: names in its directory are UTF-16."""
    return content.startswith(OLE_MAGIC) and "EncryptedPackage".encode("utf-16-le") in content


def check_office_archive(content: bytes) -> None:
    """Raises before anything is unpacked: EncryptedDocument, CorruptDocument, or DocumentTooLarge for a
    ZIP bomb.

    The sizes are those the archive declares; zipfile stops reading a member at its declared size, so a
    bomb that lies about them stays within the limit.
    """
    if is_encrypted_office(content):
        raise EncryptedDocument(_("The file is protected with a password."))
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise CorruptDocument(_("The file is cut off or damaged: its archive cannot be opened.")) from error
    if any(member.flag_bits & 0x1 for member in members):
        raise EncryptedDocument(_("The file is protected with a password."))
    if len(members) > MAX_MEMBERS or sum(member.file_size for member in members) > MAX_UNPACKED_BYTES:
        raise DocumentTooLarge(_("The file unpacks to an unreasonable size."))
