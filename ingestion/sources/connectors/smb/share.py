"""What is asked of a share: a folder's entries, a file's content, who may read it."""

from collections import deque
from collections.abc import Iterator, Sequence
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
from knowledgetree.errors import KnowledgeTreeError

_CREDIT: Final = 65_536  # bytes of an answer that a credit of the protocol stands for
_PIECE: Final = 4 * _CREDIT
_AT_ONCE: Final = 16  # files
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

    def descriptors(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Each file with its security descriptor, b"" where that cannot be read. Many are asked for before the first is
        answered: a distant server would make us wait for each. What can pass is raised.
        """
        left = deque(paths)
        while left:
            with translated():
                asked = [(path, self._ask_descriptor(path)) for path in _taken(left, self._at_once())]
            for path, requests in asked:
                yield path, self._descriptor(requests)

    def _ask_descriptor(self, path: str) -> Sequence[Any]:
        opened, query = self._named(path), SMB2QueryInfoRequest()
        query["info_type"] = InfoType.SMB2_0_INFO_SECURITY
        query["additional_information"] = InfoAdditionalInformation.DACL_SECURITY_INFORMATION
        query["output_buffer_length"] = _CREDIT
        query["file_id"] = opened.file_id  # that of the file that is opened just before
        create, _receive = opened.create(*_opening(_SEE_RIGHTS, CreateOptions.FILE_NON_DIRECTORY_FILE), send=False)
        close, _receive = opened.close(send=False)
        ids = self._tree.session.session_id, self._tree.tree_connect_id
        asked: Sequence[Any] = opened.connection.send_compound([create, query, close], *ids, related=True)
        return asked

    def _descriptor(self, requests: Sequence[Any]) -> bytes:
        """Of what was asked it takes all answers; where several are refused, the first one says why."""
        answers: list[bytes] = []
        refused: list[KnowledgeTreeError] = []
        for request in requests:
            try:
                with translated():
                    answers.append(self._tree.session.connection.receive(request)["data"].get_value())
            except KnowledgeTreeError as error:
                refused.append(error)
        if refused and refused[0].retryable:
            raise refused[0]
        if refused:
            return b""
        with translated():
            told = SMB2QueryInfoResponse()
            told.unpack(answers[1])
            return bytes(told["buffer"].get_value())

    def _named(self, path: str) -> Open:
        below = "\\".join(part for part in (self._root, path) if part).replace("/", "\\")
        # Of a share in a tree of shares (DFS) the whole path is asked for.
        whole = rf"{self._tree.share_name}\{below}".strip("\\") if self._tree.is_dfs_share else below
        return Open(self._tree, whole)

    @contextmanager
    def _opened(self, path: str, access: int, options: int) -> Iterator[Any]:
        opened = self._named(path)
        opened.create(*_opening(access, options))
        try:
            yield opened
        finally:
            opened.close()

    def _credits(self) -> int:
        window = self._tree.session.connection.sequence_window
        return max(int(window["high"] - window["low"]), 1)

    def _at_once(self) -> int:
        return max(min(_AT_ONCE, self._credits() // 3), 1)

    def _piece(self) -> int:
        """Bytes to ask for at once: as many as the server has given credit for."""
        return min(_PIECE, int(self._tree.session.connection.max_read_size), self._credits() * _CREDIT)


def _opening(access: int, options: int) -> tuple[int, int, int, int, int, int]:
    """What is said of a file that is opened: to look, with whoever else has it open."""
    return ImpersonationLevel.Impersonation, access, 0, _WITH_OTHERS, CreateDisposition.FILE_OPEN, options


def _taken(left: deque[str], most: int) -> Iterator[str]:
    for _number in range(min(most, len(left))):
        yield left.popleft()


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
        # No two files have number, time to a hundred nanoseconds and size in common, but those copied so.
        by_content=number not in _NO_IDENTITY,
    )
