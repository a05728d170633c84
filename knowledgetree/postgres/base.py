import logging
from pathlib import Path
from typing import Any

import psycopg
from django.core.exceptions import ImproperlyConfigured
from django.db.backends.postgresql import base, features, operations
from django.db.utils import NotSupportedError
from psycopg_pool import ConnectionPool

from knowledgetree.database import embedded_runs, start_embedded

log = logging.getLogger("knowledgetree.database")

MINIMUM_POSTGRESQL = (16,)
MINIMUM_PGVECTOR = (0, 8)


class DatabaseFeatures(features.DatabaseFeatures):
    minimum_database_version = MINIMUM_POSTGRESQL


class DatabaseOperations(operations.DatabaseOperations):
    def last_executed_query(self, cursor: Any, sql: str, params: Any) -> str:
        """What logs and tests see; of a prepared statement the text without its values."""
        return super().last_executed_query(cursor, sql, params) or sql

    def sql_flush(self, style: Any, tables: Any, *, reset_sequences: bool = False, allow_cascade: bool = False) -> Any:
        """`knowledgetree flush` empties the audit log too, which nothing else does: see `knowledgetree_guard_audit`."""
        emptied = super().sql_flush(style, tables, reset_sequences=reset_sequences, allow_cascade=allow_cascade)
        return ["SET LOCAL knowledgetree.audit = 'flush'", *emptied] if emptied else emptied


class DatabaseWrapper(base.DatabaseWrapper):
    features_class = DatabaseFeatures
    ops_class = DatabaseOperations

    def get_connection_params(self) -> dict[str, Any]:
        directory: Path | None = self.settings_dict.get("EMBEDDED_DIRECTORY")
        # Asked for by every request, but a pool goes on connecting to where it connected first.
        pooled = self.settings_dict["HOST"] and self.settings_dict["OPTIONS"].get("pool")
        if directory is not None and not pooled:
            self.settings_dict["HOST"] = start_embedded(directory)
        return super().get_connection_params()

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection; an embedded server that died is started again by the first who misses it."""
        try:
            connection = super().get_new_connection(conn_params)
            return self._living(connection, conn_params) if self.pool else connection
        except psycopg.OperationalError:
            directory: Path | None = self.settings_dict.get("EMBEDDED_DIRECTORY")
            if directory is None or embedded_runs(directory):
                raise
            log.warning("the embedded PostgreSQL has died and is started again")
            return super().get_new_connection(conn_params | {"host": _restart(directory)})

    def _living(self, connection: Any, conn_params: dict[str, Any]) -> Any:
        """`connection`, or a new one where PostgreSQL was restarted since it was last used.

        One round trip a request, 0.09 ms on one machine. The pool can check by itself, but waits longer and longer
        after each dead connection: a dozen cost two readers their answers. Here the first one found empties it of all.
        """
        try:
            ConnectionPool.check_connection(connection)
        except psycopg.OperationalError:
            log.warning("a connection in the pool was dead; all are looked at")
            self.pool.putconn(connection)
            self.pool.check()
            return super().get_new_connection(conn_params)
        return connection

    def check_database_version_supported(self) -> None:
        super().check_database_version_supported()
        with self.temporary_connection() as cursor:
            cursor.execute("SELECT default_version FROM pg_available_extensions WHERE name = 'vector'")
            row = cursor.fetchone()
        version = tuple(int(part) for part in row[0].split(".")) if row else ()
        if version < MINIMUM_PGVECTOR:
            found = f"it has {row[0]}" if row else "it has none"
            raise NotSupportedError(
                f"KnowledgeTree needs pgvector 0.8 or later on the PostgreSQL server; {found}. "
                "Install the server's pgvector package, or unset DATABASE_URL to use the embedded PostgreSQL."
            )


def _restart(directory: Path) -> str:
    """The directory of the socket. Where processes of the dead server still run it is too early, and worth a retry."""
    try:
        return start_embedded(directory, restart=True)
    except ImproperlyConfigured as error:
        raise psycopg.OperationalError(str(error)) from error
