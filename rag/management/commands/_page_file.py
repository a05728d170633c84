"""Pages that commands write into files."""

from pathlib import Path

from django.core.management.base import CommandError
from django.utils.translation import gettext as _


def write_page(path: Path, page: str) -> None:
    """Raises CommandError where it cannot be written."""
    try:
        path.expanduser().write_text(page, encoding="utf-8")
    except OSError as error:
        said = {"path": path, "reason": error.strerror or error}
        raise CommandError(_("%(path)s cannot be written: %(reason)s.") % said) from error
