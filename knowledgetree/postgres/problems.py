"""What stands between a command and its database, with what to do about it: for `doctor` and for every `manage.py`."""

from dataclasses import dataclass

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db.utils import NotSupportedError, OperationalError, ProgrammingError
from django.utils.translation import gettext_lazy as _
from psycopg import errors

from knowledgetree.errors import Text

_ADDRESS = _(
    "Check whether the server runs, and the address, port, database, user and password in DATABASE_URL "
    "(or remove that variable, and the embedded PostgreSQL starts)."
)
_EMBEDDED = _("The embedded PostgreSQL does not answer; the reason stands in its log, VAR_DIR/postgres/log.")
_TOO_OLD = _(
    "PostgreSQL 16 or newer is needed, with pgvector 0.8 or newer. Upgrade the server, or remove DATABASE_URL, and the "
    "embedded one starts."
)
_EXTENSION = _(
    "The server's administrator creates the extension once, in this database: CREATE EXTENSION vector; "
    "(docs/production.md)."
)
_TABLES = _("This database has none of the program's tables. Run: knowledgetree migrate")
POOLER_REMEDY = _(
    "Behind PgBouncer add ?pgbouncer=transaction to the DATABASE_URL of web processes; connect the worker and commands "
    "straight to PostgreSQL (docs/production.md)."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseProblem:
    """`detail`: what the server or the configuration said, on one line."""

    detail: str
    remedy: Text


def problem_of(error: BaseException) -> DatabaseProblem | None:
    """What is wrong with the installation. None where `error` is rather the program's, so that its trace is wanted."""
    remedy = _remedy(error)
    return None if remedy is None else DatabaseProblem(detail=str(error).partition("\n")[0], remedy=remedy)


def _remedy(error: BaseException) -> Text | None:
    if isinstance(error, ImproperlyConfigured):
        return ""  # it says what to do itself
    if isinstance(error, NotSupportedError):
        return _TOO_OLD
    if isinstance(error, ProgrammingError):
        cause = error.__cause__
        lacks_extension = isinstance(cause, errors.InsufficientPrivilege) and "extension" in str(cause)
        return _EXTENSION if lacks_extension else _TABLES if isinstance(cause, errors.UndefinedTable) else None
    if isinstance(error, OperationalError):
        return POOLER_REMEDY if "startup parameter" in str(error) else _address()
    return None


def _address() -> Text:
    return _EMBEDDED if "EMBEDDED_DIRECTORY" in settings.DATABASES["default"] else _ADDRESS
