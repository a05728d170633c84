"""What stands between a command and its database, with what to do about it: for `doctor` and for every `manage.py`."""

from dataclasses import dataclass

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db.utils import NotSupportedError, OperationalError, ProgrammingError
from psycopg import errors

_ADDRESS = (
    "Sprawdź, czy serwer działa, oraz adres, port, nazwę bazy, użytkownika i hasło w DATABASE_URL "
    "(albo usuń tę zmienną, a uruchomi się wbudowany PostgreSQL)."
)
_EMBEDDED = "Wbudowany PostgreSQL nie odpowiada; przyczynę podaje dziennik w VAR_DIR/postgres/log."
_TOO_OLD = (
    "Potrzebny jest PostgreSQL 16 lub nowszy z pgvector 0.8 lub nowszym. Zaktualizuj serwer albo usuń DATABASE_URL, "
    "a uruchomi się wbudowany."
)
_EXTENSION = (
    "Administrator serwera tworzy rozszerzenie raz, w tej bazie: CREATE EXTENSION vector; (docs/production.md)."
)
_TABLES = "W tej bazie nie ma tabel programu. Uruchom: python manage.py migrate"
_POOLER = (
    "Za PgBouncerem dopisz do DATABASE_URL procesów WWW ?pgbouncer=transaction; proces roboczy i polecenia łącz "
    "wprost z PostgreSQL (docs/production.md)."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseProblem:
    """`detail`: what the server or the configuration said, on one line."""

    detail: str
    remedy: str


def problem_of(error: BaseException) -> DatabaseProblem | None:
    """What is wrong with the installation. None where `error` is rather the program's, so that its trace is wanted."""
    remedy = _remedy(error)
    return None if remedy is None else DatabaseProblem(detail=str(error).partition("\n")[0], remedy=remedy)


def _remedy(error: BaseException) -> str | None:
    if isinstance(error, ImproperlyConfigured):
        return ""  # it says what to do itself
    if isinstance(error, NotSupportedError):
        return _TOO_OLD
    if isinstance(error, ProgrammingError):
        cause = error.__cause__
        lacks_extension = isinstance(cause, errors.InsufficientPrivilege) and "extension" in str(cause)
        return _EXTENSION if lacks_extension else _TABLES if isinstance(cause, errors.UndefinedTable) else None
    if isinstance(error, OperationalError):
        return _POOLER if "startup parameter" in str(error) else _address()
    return None


def _address() -> str:
    return _EMBEDDED if "EMBEDDED_DIRECTORY" in settings.DATABASES["default"] else _ADDRESS
