"""What is asked of a share: a folder's entries, a file's content, who may read it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

from smbprotocol.exceptions import NoMoreFiles, NoSuchFile
from smbprotocol.file_info import FileAttributes, FileInformationClass, InfoType
from smbprotocol.open import (
    CreateDisposition,
    CreateOptions,
    FilePipePrinterAccessMask,
    ImpersonationLevel,
    InfoAdditionalInformation,
    Open,
    ShareAccess,
    SMB2QueryInfoRequest,
    SMB2QueryInfoResponse,
)
from smbprotocol.tree import TreeConnect

from ingestion.sources.connectors.errors import item_too_large
from ingestion.sources.connectors.folders import FolderEntry
from ingestion.sources.connectors.smb.session import translated

_CREDIT: Final = 65_536  # bytes of an answer that a credit of the protocol stands for
_PIECE: Final = 4 * _CREDIT
_LIST, _READ = FilePipePrinterAccessMask.FILE_READ_DATA, FilePipePrinterAccessMask.FILE_READ_DATA
_SEE_RIGHTS: Final = FilePipePrinterAccessMask.READ_CONTROL
_WITH_OTHERS: Final = ShareAccess.FILE_SHARE_READ | ShareAccess.FILE_SHARE_WRITE | ShareAccess.FILE_SHARE_DELETE
_NO_IDENTITY: Final = {0, 0xFFFF_FFFF_FFFF_FFFF}
_STANDS_FOR_ANOTHER: Final = 0x2000_0000  # of a reparse tag: links and mount points, not what is merely packed


class NetworkShare:
    """Paths are below `root`, with `/`. All methods raise what `translated` does."""

    def __init__(self, tree: TreeConnect, root: str) -> None:
        self._tree, self._root = tree, root.strip("/")

    def entries(self, folder: str) -> Iterator[FolderEntry]:
        """Without links, and what is hidden."""
        with translated(), self._opened(folder, _LIST, CreateOptions.FILE_DIRECTORY_FILE) as opened:
            while True:
                try:
                    told = opened.query_directory("*", FileInformationClass.FILE_ID_FULL_DIRECTORY_INFORMATION)
                except (NoMoreFiles, NoSuchFile):
                    return
                yield from (_entry(one) for one in told if _is_shown(one))

    def read(self, path: str, *, max_bytes: int) -> bytes:
        with translated(), self._opened(path, _READ, CreateOptions.FILE_NON_DIRECTORY_FILE) as opened:
            if opened.end_of_file > max_bytes:
                raise item_too_large(max_bytes)
            content = bytearray()
            while len(content) < opened.end_of_file:
                content += opened.read(len(content), min(self._piece(), opened.end_of_file - len(content)))
        return bytes(content)

    def descriptor(self, path: str) -> bytes:
        """Who may do what with a file: its security descriptor."""
        with translated(), self._opened(path, _SEE_RIGHTS, CreateOptions.FILE_NON_DIRECTORY_FILE) as opened:
            query = SMB2QueryInfoRequest()
            query["info_type"] = InfoType.SMB2_0_INFO_SECURITY
            query["additional_information"] = InfoAdditionalInformation.DACL_SECURITY_INFORMATION
            query["output_buffer_length"] = _CREDIT
            query["file_id"] = opened.file_id
            connection, session = opened.connection, self._tree.session
            asked = connection.send(query, session.session_id, self._tree.tree_connect_id)
            answer = SMB2QueryInfoResponse()
            answer.unpack(connection.receive(asked)["data"].get_value())
            return bytes(answer["buffer"].get_value())

    @contextmanager
    def _opened(self, path: str, access: int, options: int) -> Iterator[Any]:
        below = "/".join(part for part in (self._root, path) if part)
        path = below.replace("/", "\\")
        # Of a share in a tree of shares (DFS) the whole path is asked for.
        whole = rf"{self._tree.share_name}\{path}".strip("\\") if self._tree.is_dfs_share else path
        opened = Open(self._tree, whole)
        disposition, impersonation = CreateDisposition.FILE_OPEN, ImpersonationLevel.Impersonation
        opened.create(impersonation, access, 0, _WITH_OTHERS, disposition, options)
        try:
            yield opened
        finally:
            opened.close()

    def _piece(self) -> int:
        """Bytes to ask for at once: as many as the server has given credit for."""
        connection = self._tree.session.connection
        credits: int = connection.sequence_window["high"] - connection.sequence_window["low"]
        return min(_PIECE, int(connection.max_read_size), max(credits, 1) * _CREDIT)


def _is_shown(told: Any) -> bool:
    attributes = told["file_attributes"].get_value()
    is_link = attributes & FileAttributes.FILE_ATTRIBUTE_REPARSE_POINT and told["ea_size"].get_value()
    return not (attributes & FileAttributes.FILE_ATTRIBUTE_HIDDEN or int(is_link) & _STANDS_FOR_ANOTHER)


def _entry(told: Any) -> FolderEntry:
    number, written, size = (told[name].get_value() for name in ("file_id", "last_write_time", "end_of_file"))
    is_folder = bool(told["file_attributes"].get_value() & FileAttributes.FILE_ATTRIBUTE_DIRECTORY)
    # Samba gives the number of a file that is gone to another one, and each disk in a share numbers its folders anew.
    # Where it was not told when something came to be, it takes the earliest of the times that it knows.
    since: datetime = written if is_folder else told["creation_time"].get_value()
    return FolderEntry(
        name=told["file_name"].get_value().decode("utf-16-le", errors="replace"),
        is_folder=is_folder,
        version=f"{number:x}:{written.isoformat()}:{size}",
        size=size,
        identity="" if number in _NO_IDENTITY else f"{number:x}:{since.isoformat()}",
    )
