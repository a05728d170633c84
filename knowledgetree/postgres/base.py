from pathlib import Path
from typing import Any

from django.db.backends.postgresql import base, features
from django.db.utils import NotSupportedError

from knowledgetree.database import start_embedded

MINIMUM_POSTGRESQL = (16,)
MINIMUM_PGVECTOR = (0, 8)


class DatabaseFeatures(features.DatabaseFeatures):
    minimum_database_version = MINIMUM_POSTGRESQL


class DatabaseWrapper(base.DatabaseWrapper):
    features_class = DatabaseFeatures

    def get_connection_params(self) -> dict[str, Any]:
        directory: Path | None = self.settings_dict.get("EMBEDDED_DIRECTORY")
        if directory is not None:
            self.settings_dict["HOST"] = start_embedded(directory)
        return super().get_connection_params()

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
