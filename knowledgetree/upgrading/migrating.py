"""The migrations of this release, all of them or none."""

from collections.abc import Sequence

from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext as _

from knowledgetree.errors import KnowledgeTreeError


class MigrationFailed(KnowledgeTreeError):
    """`as_before`: the database has none of them, as before."""

    code = "migration_failed"

    def __init__(self, message: str, *, as_before: bool) -> None:
        super().__init__(message)
        self.as_before = as_before


def pending_migrations() -> list[Migration]:
    """In the order in which they will be applied."""
    executor = MigrationExecutor(connection)
    return [migration for migration, _backwards in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def fit_together(pending: Sequence[Migration]) -> bool:
    """Whether all can be applied in one transaction; a migration may refuse to be in any."""
    return all(migration.atomic for migration in pending)


def apply_migrations(pending: Sequence[Migration]) -> None:
    """In one transaction where that can be. Raises MigrationFailed."""
    together = fit_together(pending)
    try:
        if together:
            _apply_together()
        else:
            call_command("migrate", verbosity=0, skip_checks=False)
    except CommandError:
        raise  # said by the checks, before the first one
    except Exception as error:
        raise MigrationFailed(
            _("A migration failed (%(error)s).") % {"error": str(error).strip() or type(error).__name__},
            as_before=together,
        ) from error


@transaction.atomic(durable=True)
def _apply_together() -> None:
    with connection.cursor() as cursor:
        # A check that waits for the end of the transaction would forbid the next migration to alter its table.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    call_command("migrate", verbosity=0, skip_checks=False)
