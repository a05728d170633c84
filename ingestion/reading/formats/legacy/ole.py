"""The streams of an OLE2 compound file: the old formats of Word, PowerPoint and Outlook."""

from collections.abc import Sequence
from io import BytesIO

from django.utils.translation import gettext as _

from ingestion.errors import CorruptDocument


def ole_streams(content: bytes, names: Sequence[str]) -> dict[str, bytes]:
    """Those of the named streams that the file has. Raises CorruptDocument."""
    import olefile

    try:
        with olefile.OleFileIO(BytesIO(content)) as file:
            return {name: file.openstream(name).read() for name in names if file.exists(name)}
    except (OSError, ValueError, IndexError, AttributeError) as error:
        raise CorruptDocument(_("The file is cut off or damaged: its archive cannot be opened.")) from error
